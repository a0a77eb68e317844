"""deploy/nginx.conf before two real processes: base path, stickiness, gzip, a killed replica."""

from __future__ import annotations

import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect

from app.plotly_bundle import BUNDLE_PATH
from tests.browser import session
from tests.nginx import NGINX, start_nginx

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


@dataclass
class Deployment:
    url: str
    replicas: dict[int, subprocess.Popen]


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    ports = [session.free_port() for _ in range(2)]
    secret = {"STREAMLIT_SERVER_COOKIE_SECRET": "a long random text of this test"}
    replicas = {
        port: session.start_server(port, "--base-path", "breakeven", env=secret) for port in ports
    }
    port = session.free_port()
    proxy = start_nginx(folder, port, ports)
    try:
        for number, replica in replicas.items():
            session.wait_for_server(number, replica, base="/breakeven")
        session.wait_for_server(port, proxy, base="/breakeven")
        yield Deployment(f"http://127.0.0.1:{port}/breakeven", replicas)
    finally:
        for process in (proxy, *replicas.values()):
            session.stop(process)


def get(url: str, **headers: str):
    request = urllib.request.Request(url, headers=headers)
    return urllib.request.urlopen(request, timeout=10)


def test_metrics_are_closed_and_health_is_open(deployment: Deployment):
    with pytest.raises(urllib.error.HTTPError) as refused:
        get(f"{deployment.url}/_stcore/metrics")
    assert refused.value.code == 404
    with get(f"{deployment.url}/_stcore/health") as answer:
        assert answer.read() == b"ok"


def test_assets_are_compressed_and_headers_pass(deployment: Deployment):
    with get(f"{deployment.url}/", **{"Accept-Encoding": "gzip"}) as page:
        assert "default-src 'self'" in page.headers["Content-Security-Policy"]
        assert "breakeven_replica=" in page.headers["Set-Cookie"]
        assert "HttpOnly" in page.headers["Set-Cookie"]
    with get(f"{deployment.url}/{BUNDLE_PATH}", **{"Accept-Encoding": "gzip"}) as bundle:
        assert bundle.headers["Content-Encoding"] == "gzip"
        assert len(bundle.read()) < 2_000_000


def test_a_browser_comes_back_on_the_other_replica_with_its_scenario(
    deployment: Deployment, browser: Browser
):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    session.open_page(page, f"{deployment.url}/?batch=4&ctx=32768")
    session.wait_charts(page)
    slider = page.get_by_role("slider", name="Batch")
    slider.focus()
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "5")
    session.wait_ready(page)
    said = page.locator(".be-verdict").inner_text()
    session.stop(deployment.replicas[replica_of(deployment)])
    page.wait_for_timeout(500)
    session.wait_ready(page)
    slider.focus()
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "6")
    slider.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "5")
    session.wait_ready(page)
    assert "ctx=32768" in page.url
    expect(page.locator(".be-verdict")).to_have_text(said.replace("\n\n", ""))
    context.close()


def replica_of(deployment: Deployment) -> int:
    """The replica that holds the one open session."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for port in deployment.replicas:
            with get(f"http://127.0.0.1:{port}/breakeven/_stcore/metrics") as answer:
                text = answer.read().decode()
            for line in text.splitlines():
                if line.startswith("active_sessions") and not line.endswith(" 0"):
                    return port
        time.sleep(0.2)
    raise AssertionError("no replica holds a session")
