# ruff: noqa: E501, RUF001 - DeepSeek writes special tokens with a fullwidth bar
"""Chat templates as the model families write them, shortened to one system message, turns, tools and calls."""

from __future__ import annotations

# Qwen 2.5 and Hermes: the template lists tools, writes calls as JSON between tags, results in the user's turn.
QWEN = """
{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
    {{- "# Tools\\n<tools>" }}
    {%- for tool in tools %}{{- "\\n" }}{{- tool | tojson }}{%- endfor %}
    {{- "\\n</tools>\\nreturn <tool_call>\\n{\\"name\\": <function-name>, \\"arguments\\": <args>}\\n</tool_call><|im_end|>\\n" }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if message.role == "user" or (message.role == "assistant" and not message.tool_calls) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
    {%- elif message.role == "assistant" %}
        {{- '<|im_start|>assistant' }}
        {%- if message.content %}{{- '\\n' + message.content }}{%- endif %}
        {%- for call in message.tool_calls %}
            {{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' }}
            {{- call.function.arguments | tojson }}{{- '}\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""

LLAMA = """
{%- if tools %}
    {{- 'Environment: ipython\\nRespond in the format {"name": function name, "parameters": dictionary}.\\n' }}
    {%- for tool in tools %}{{- tool | tojson }}{{- "\\n" }}{%- endfor %}
{%- endif %}
{%- for message in messages %}
    {%- if 'tool_calls' in message %}
        {%- if message.tool_calls | length != 1 %}{{- raise_exception("only single tool-calls at once!") }}{%- endif %}
        {%- set call = message.tool_calls[0].function %}
        {{- '<|im_start|>assistant\\n' }}
        {%- if builtin_tools is defined and call.name in builtin_tools %}{{- '<|python_tag|>' }}{%- endif %}
        {{- '{"name": "' + call.name + '", ' }}{{- '"parameters": ' }}{{- call.arguments | tojson }}{{- '}<|im_end|>' }}
    {%- elif message.role == "tool" %}
        {{- '<|im_start|>ipython\\n' + message.content + '<|im_end|>' }}
    {%- else %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""

MISTRAL = """
{%- for message in messages %}
    {%- if message.role == "user" %}
        {%- if tools is not none and loop.last %}{{- "[AVAILABLE_TOOLS]" + (tools | tojson) + "[/AVAILABLE_TOOLS]" }}{%- endif %}
        {{- "[INST]" + message.content + "[/INST]" }}
    {%- elif message.tool_calls is defined and message.tool_calls is not none %}
        {{- "[TOOL_CALLS][" }}
        {%- for call in message.tool_calls %}
            {%- set out = call.function | tojson %}{{- out[:-1] }}
            {%- if call.id | length != 9 %}{{- raise_exception("ids should be alphanumeric strings with length 9!") }}{%- endif %}
            {{- ', "id": "' + call.id + '"}' }}{%- if not loop.last %}{{- ", " }}{%- endif %}
        {%- endfor %}{{- "]<|im_end|>" }}
    {%- elif message.role == "tool" %}
        {{- '[TOOL_RESULTS]{"content": ' + message.content + ', "call_id": "' + message.tool_call_id + '"}[/TOOL_RESULTS]' }}
    {%- else %}{{- message.content + "<|im_end|>" }}{%- endif %}
{%- endfor %}
"""

MISTRAL_ARGS = """
{%- for message in messages %}
    {%- if message.role == "user" %}
        {%- if tools %}{{- "[AVAILABLE_TOOLS]" + (tools | tojson) + "[/AVAILABLE_TOOLS]" }}{%- endif %}
        {{- "[INST]" + message.content + "[/INST]" }}
    {%- elif message.role == "tool" %}{{- "[TOOL_RESULTS]" + message.content + "[/TOOL_RESULTS]" }}
    {%- else %}
        {{- message.content }}
        {%- for call in message.tool_calls %}
            {{- "[TOOL_CALLS]" + call.function.name + "[ARGS]" + call.function.arguments | tojson }}
        {%- endfor %}{{- "<|im_end|>" }}
    {%- endif %}
{%- endfor %}
"""
MISTRAL_IDS = MISTRAL_ARGS.replace('"[ARGS]"', '"[CALL_ID]" + call.id + "[ARGS]"')

DEEPSEEK = """
{%- for message in messages %}
    {%- if message.role == 'assistant' and message.tool_calls %}
        {{- message.content + '<｜tool▁calls▁begin｜>' }}
        {%- for call in message.tool_calls %}
            {{- '<｜tool▁call▁begin｜>' + call.type + '<｜tool▁sep｜>' + call.function.name + '\\n```json\\n' }}
            {{- call.function.arguments + '\\n```<｜tool▁call▁end｜>' }}
        {%- endfor %}{{- '<｜tool▁calls▁end｜><|im_end|>' }}
    {%- elif message.role == 'tool' %}{{- '<｜tool▁output▁begin｜>' + message.content + '<｜tool▁output▁end｜>' }}
    {%- else %}{{- message.role + ':' + message.content }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<｜Assistant｜>' }}{%- endif %}
"""

DEEPSEEK_V31 = (
    DEEPSEEK.replace(
        "call.type + '<｜tool▁sep｜>' + call.function.name + '\\n```json\\n'", "call.function.name + '<｜tool▁sep｜>'"
    )
    .replace("'\\n```<", "'<")
    .replace("message.content + '<｜tool▁calls", "(message.content or '') + '<｜tool▁calls")
)

QWEN_CODER = """
{%- if tools %}{{- '<|im_start|>system\n# Tools\n<tools>' }}
{%- for tool in tools %}{{- '\n<function>\n<name>' + tool.function.name + '</name>\n</function>' }}{%- endfor %}
{{- '\n</tools>\n\n<tool_call>\n<function=example>\n<parameter=a>\nvalue\n</parameter>\n</function>\n</tool_call>' }}
{{- '<|im_end|>\n' }}
{%- endif %}
{%- for message in messages %}
{%- if message.role == 'assistant' and message.tool_calls %}
{{- '<|im_start|>assistant' }}
{%- if message.content %}{{- '\n' + message.content }}{%- endif %}
{%- for tool_call in message.tool_calls %}
{{- '\n<tool_call>\n<function=' + tool_call.function.name + '>\n' }}
{%- for name, value in tool_call.function.arguments|items %}
{{- '<parameter=' + name + '>\n' }}{{- value if value is string else value | tojson | safe }}{{- '\n</parameter>\n' }}
{%- endfor %}
{{- '</function>\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\n' }}
{%- elif message.role == 'tool' %}
{{- '<|im_start|>user\n<tool_response>\n' + message.content + '\n</tool_response>\n<|im_end|>\n' }}
{%- else %}
{{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}
"""

UNKNOWN = "{% for tool in tools %}<tool_call>x\n<arg_key>a</arg_key>\n<arg_value>1</arg_value></tool_call>{% endfor %}"

# gpt-oss: each message in a channel, a call to the name of its function.
HARMONY = """
{%- if tools %}{{- tools | tojson }}{%- endif %}
{%- for message in messages %}
{%- if message.role == 'assistant' and message.tool_calls %}
{%- set call = message.tool_calls[0].function %}
{{- '<|start|>assistant to=functions.' + call.name + '<|channel|>commentary json<|message|>' }}
{{- call.arguments | tojson }}{{- '<|call|>' }}
{%- elif message.role == 'assistant' %}{{- '<|start|>assistant<|channel|>final<|message|>' + message.content + '<|end|>' }}
{%- else %}{{- '<|start|>' + message.role + '<|message|>' + message.content + '<|end|>' }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start|>assistant' }}{%- endif %}
"""
