"""What a browser or a curious person finds: the API's description, as JSON and as one plain page."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from litestar import MediaType, get

from mitsuboshi.api.openapi import description
from mitsuboshi.api.service import AnyRequest

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font: 14px/1.4 ui-monospace, monospace }
pre { overflow-x: auto; background: #8881; padding: .5rem }
h2 code { font-size: inherit } details { margin: .25rem 0 }
"""


@get("/openapi.json", include_in_schema=False)
async def openapi_json(request: AnyRequest) -> dict[str, Any]:
    """The API's description, OpenAPI 3.1."""
    return description(request.app)


@get("/docs", include_in_schema=False, media_type=MediaType.HTML)
async def docs_page(request: AnyRequest) -> str:
    """The description for people: one page, no script, nothing from elsewhere."""
    schema = description(request.app)
    paths = "".join(
        _operation(method, path, operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    )
    schemas = "".join(
        _details(name, body, anchor=name) for name, body in sorted(schema["components"]["schemas"].items())
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Mitsuboshi API</title>"
        f"<style>{STYLE}</style>"
        "<meta name=viewport content='width=device-width'>"
        f"<h1>Mitsuboshi</h1><p>{escape(schema['info']['description'])} Machines read "
        f"<a href=/openapi.json>/openapi.json</a>.</p>{paths}<h2>Schemas</h2>{schemas}</html>"
    )


@get("/", include_in_schema=False, media_type=MediaType.TEXT)
async def front_page() -> str:
    """Where to go from here."""
    return "Mitsuboshi: rooms for board games. The API is described at /docs and /openapi.json.\n"


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    parameters = operation.get("parameters", [])
    parts = [
        f"<h2><code>{method.upper()} {escape(path)}</code></h2>",
        f"<p>{escape(operation.get('description', ''))}</p>",
        _details("Parameters", parameters) if parameters else "",
        _details("Body", operation["requestBody"]["content"]) if "requestBody" in operation else "",
        _details("Answers", {status: _content(answer) for status, answer in operation["responses"].items()}),
    ]
    return "".join(parts)


def _content(answer: dict[str, Any]) -> Any:
    return {"description": answer["description"]} | answer.get("content", {})


def _details(title: str, body: Any, anchor: str = "") -> str:
    text = escape(json.dumps(body, indent=1, ensure_ascii=False))
    return f"<details id='{escape(anchor)}'><summary>{escape(title)}</summary><pre>{text}</pre></details>"


ROUTES = [openapi_json, docs_page, front_page]
