"""Sockets take Streamlit's own messages alone; anything else closes them without a trace.

Streamlit writes a stack trace to the log for each frame of text and for each one that it cannot
read, so that a stranger could fill the log.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

UNSUPPORTED = 1003  # close codes of RFC 6455
PROTOCOL_ERROR = 1002


def fault(message: Message) -> int | None:
    """The code to close with for what a browser would not send; None for what it sends.

    >>> fault({"type": "websocket.receive", "text": "hello", "bytes": None})
    1003
    >>> fault({"type": "websocket.receive", "bytes": b"\\xff\\xff"})
    1002
    >>> fault({"type": "websocket.receive", "bytes": BackMsg(stop_script=True).SerializeToString()})
    """
    if message["type"] != "websocket.receive":
        return None
    data = message.get("bytes")
    if data is None:
        return UNSUPPORTED
    try:
        return None if BackMsg.FromString(data).WhichOneof("type") else PROTOCOL_ERROR
    except DecodeError:
        return PROTOCOL_ERROR


class OwnFrames:
    """ASGI middleware that closes a socket at the first frame that is no message of Streamlit's."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        closed = False

        async def checked() -> Message:
            nonlocal closed
            message = await receive()
            code = fault(message)
            if code is None:
                return message
            closed = True
            await send({"type": "websocket.close", "code": code})
            return {"type": "websocket.disconnect", "code": code}

        async def send_while_open(message: Message) -> None:
            if not closed:
                await send(message)

        await self.app(scope, checked, send_while_open)
