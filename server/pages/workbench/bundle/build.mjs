// Builds ../static/vendor/ from the packages of package-lock.json: `npm ci && npm run build`.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const VENDOR = new URL("../static/vendor/", import.meta.url).pathname;
const NOTICE = "/*! Built by server/pages/workbench/bundle; licences in LICENSES.txt. */";

const used = new Set();
for (const name of ["editor"]) {
  const result = await build({
    entryPoints: [`${name}.js`],
    outfile: `${VENDOR}${name}.js`,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    banner: { js: NOTICE },
    metafile: true,
  });
  for (const path of Object.keys(result.metafile.inputs)) {
    const found = path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) used.add(found[1]);
  }
}

const licences = [...used].sort().map((name) => {
  const folder = `node_modules/${name}/`;
  const about = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(folder + file, "utf8").trim() : `Licence: ${about.license}`;
  return `${name} ${about.version} (${about.license})\n\n${text}\n`;
});
writeFileSync(`${VENDOR}LICENSES.txt`, licences.join(`\n${"-".repeat(78)}\n\n`));
