"""A browser tab without a browser: Streamlit's own protocol over one WebSocket."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.protocol import State

FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
SELECT_SLIDER = 2  # Slider.Type


class PageError(RuntimeError):
    """The page showed an exception."""


@dataclass
class Tab:
    """One session; `open` connects it, `run` runs the page, `move` moves one of its sliders.

    `pages` maps the addresses of the navigation to their hashes; `visit` goes to one of them.
    """

    url: str
    query: str = ""
    timeout_s: float = 60.0
    page_hash: str = ""
    n_bytes: int = 0
    socket: websockets.ClientConnection | None = None
    sliders: dict[str, Any] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    values: dict[str, tuple[str, Any]] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)

    async def open(self) -> None:
        """Connect as a page of the same origin does."""
        origin = "http://" + self.url.split("/")[2]
        self.socket = await websockets.connect(
            self.url,
            subprotocols=[websockets.Subprotocol("streamlit")],
            origin=websockets.Origin(origin),
            max_size=None,
            ping_interval=None,
            open_timeout=self.timeout_s,
            compression=None,
            proxy=None,
        )

    @property
    def is_open(self) -> bool:
        """Whether the tab has a connection that neither side has closed."""
        return self.socket is not None and self.socket.state is State.OPEN

    async def close(self) -> None:
        """Close the connection, if there is one."""
        if self.socket is not None:
            await self.socket.close()

    async def run(self) -> float:
        """Run the page with the widgets' values; the seconds until it has finished."""
        if self.socket is None:
            raise RuntimeError("this tab was not opened")
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string, rerun.page_script_hash = self.query, self.page_hash
        rerun.cached_message_hashes.extend(self.cached)
        for widget, (kind, value) in self.values.items():
            state = rerun.widget_states.widgets.add(id=widget)
            getattr(state, kind).data.extend([value])
        begun = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        while True:
            raw = await asyncio.wait_for(self.socket.recv(), self.timeout_s)
            self.n_bytes += len(raw)
            answer = ForwardMsg()
            answer.ParseFromString(raw)
            self._take(answer)
            if answer.WhichOneof("type") == "script_finished" and (
                answer.script_finished in FINISHED
            ):
                return time.perf_counter() - begun

    def _take(self, answer: ForwardMsg) -> None:
        if answer.metadata.cacheable and answer.hash:
            self.cached.add(answer.hash)
        kind = answer.WhichOneof("type")
        if kind == "new_session":
            self.page_hash = answer.new_session.page_script_hash
        elif kind == "page_info_changed":
            self.query = answer.page_info_changed.query_string
        elif kind == "navigation":
            self.pages = {p.url_pathname: p.page_script_hash for p in answer.navigation.app_pages}
        elif kind == "delta" and answer.delta.WhichOneof("type") == "new_element":
            element = answer.delta.new_element
            if element.WhichOneof("type") == "slider" and len(element.slider.default) == 1:
                self.sliders[element.slider.label] = element.slider
            elif element.WhichOneof("type") == "exception":
                raise PageError(f"{element.exception.type}: {element.exception.message[:200]}")

    async def visit(self, page: str) -> float:
        """Go to a page by its address below the app; the seconds until it is there."""
        self.page_hash = self.pages[page]
        self.sliders.clear()
        return await self.run()

    async def move(self, label: str, rng: random.Random) -> float:
        """Move a slider to another place, chosen by `rng`; the seconds until the page is there."""
        slider = self.sliders[label]
        n_steps = round((slider.max - slider.min) / slider.step)
        at = slider.min + slider.step * rng.randint(0, n_steps)
        if slider.type == SELECT_SLIDER:
            self.values[slider.id] = ("string_array_value", slider.options[int(at)])
        else:
            self.values[slider.id] = ("double_array_value", at)
        return await self.run()
