"""The texts of mails and mailboxes, and what of them can't be read."""

from __future__ import annotations

import mailbox
from email.message import EmailMessage
from pathlib import Path

import pytest

from guided.cli.texts import load_texts
from guided.documents.mail import MailText, mail_text, mailbox_texts
from guided.grammars.errors import InvalidInputError

PAGE = (
    "<html><head><title>T</title><style>p {}</style></head><body><p>Hei,<br>12,50&nbsp;&euro;\r\nfor <b>a</b>pples.</p>"
    "<table><tr><td>Kettle</td><td>2</td></tr><tr><td>Lamp</td></tr></table><script>secret<p></script><div>Ada</div>"
)
PAGE_TEXT = "Hei,\n12,50 € for apples.\n\nKettle  2\nLamp  \n\nAda\n"


def mail(subject: str = "Møte på mandag, og hva vi må huske på før vi går dit alle sammen") -> EmailMessage:
    found = EmailMessage()
    found["From"], found["To"], found["Subject"] = "Ada Hølm <ada@holm.no>", "bo@lind.se", subject
    return found


def test_headers_are_decoded_and_plain_text_goes_before_html() -> None:
    letter = mail()
    letter.set_content("Prisen er 12,50 €.\nAda")
    letter.add_alternative(PAGE, subtype="html")
    letter.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="bill.pdf")
    headers = f"From: Ada Hølm <ada@holm.no>\nTo: bo@lind.se\nSubject: {letter['Subject']}\n\n"
    for content in (letter.as_bytes(), letter.as_bytes().replace(b"\n", b"\r\n")):
        assert mail_text(content, "a.eml") == MailText(headers + "Prisen er 12,50 €.\nAda\n", ("bill.pdf",))
    page = mail()
    page.set_content(PAGE, subtype="html")
    assert mail_text(page.as_bytes(), "a.eml").text == headers + PAGE_TEXT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.eml is no mail"),
        (b"Dear Ada,\nthe bill.", "a.eml is no mail: it has none of the headers From,"),
        (b"From: a@b\nContent-Type: text/plain; charset=x-no\n\nq", "an encoding that is not known: 'x-no'"),
        (b"From: a@b\nContent-Type: text/plain; charset=utf-8\n\n\xff", "not in the encoding that it names"),
    ],
)
def test_what_is_no_mail(content: bytes, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        mail_text(content, "a.eml")


@pytest.mark.parametrize("charset", ["utf-8", "us-ascii", "", "iso-8859-1"])
def test_encodings(charset: str) -> None:
    declared = f"; charset={charset}" if charset else ""
    body = "Gdańsk".encode() if charset != "iso-8859-1" else b"\x80 G\xf6d"  # the euro sign is Windows-1252
    shown = "Gdańsk" if charset != "iso-8859-1" else "€ Göd"
    content = f"From: a@b\nContent-Type: text/plain{declared}\nContent-Transfer-Encoding: 8bit\n\n".encode() + body
    assert mail_text(content, "a.eml").text == f"From: a@b\n\n{shown}\n"


def test_mailboxes_and_mails_in_folders(tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "in.mbox")
    box.add(b"From: a@b\n\nFrom here on it rains.\n")
    box.add(b"no headers\n")
    letter = mail("x")
    letter.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="bill.pdf")
    box.add(letter)
    box.close()
    (tmp_path / "one.EML").write_bytes(b"Subject: one\r\n\r\nHello.\r\n")
    told: list[str] = []
    texts = load_texts([str(tmp_path)], keep_going=True, warn=told.append)
    assert [source.name.removeprefix(f"{tmp_path}/") for source in texts] == [
        *("in.mbox:1", "in.mbox:2", "in.mbox:3"),
        "one.EML",
    ]
    assert (texts[0].text, texts[3].text) == ("From: a@b\n\nFrom here on it rains.\n", "Subject: one\n\nHello.\n")
    assert "in.mbox:2 is no mail" in str(texts[1].problem)
    assert told == [f"{tmp_path}/in.mbox: attachments are not read: bill.pdf"]
    (tmp_path / "empty.mbox").write_text("hello")
    with pytest.raises(InvalidInputError, match=r"empty\.mbox holds no mail"):
        list(mailbox_texts(str(tmp_path / "empty.mbox")))
