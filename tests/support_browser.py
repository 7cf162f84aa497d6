"""A real browser for pages: headless Chromium, driven from outside."""

from __future__ import annotations

import os
import shutil
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

# Chromium looks for its maker's hosts at every start, and must not.
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


@contextmanager
def chromium() -> Iterator[Any]:
    """A driver of a headless Chromium; skips without one, unless STEADYRANK_BROWSER says that
    there has to be one.
    """
    paths = shutil.which("chromium"), shutil.which("chromedriver")
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        paths = (None, None)
    if None in paths:
        message = "no chromium, chromedriver or selenium here: pages are not opened"
        if os.environ.get("STEADYRANK_BROWSER"):
            pytest.fail(message)
        pytest.skip(message)
    options = webdriver.ChromeOptions()
    options.binary_location = paths[0]
    for argument in _ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # Chromium puts a socket into its temporary folder, and a socket's path is short or refused.
    with tempfile.TemporaryDirectory(prefix="web-", dir="/tmp", ignore_cleanup_errors=True) as own:
        options.add_argument(f"--user-data-dir={own}/profile")
        service = Service(paths[1], env={**os.environ, "TMPDIR": own})
        driver = webdriver.Chrome(options=options, service=service)
        try:
            yield driver
        finally:
            driver.quit()


def open_page(driver: Any, page: Path, width: int, scheme: str) -> None:
    """Opens a file at a width in pixels, under a colour scheme, all details unfolded."""
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    driver.get(page.as_uri())
    driver.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")


def keep_screenshot(driver: Any, name: str) -> None:
    """Keeps a picture of the whole page where STEADYRANK_ARTEFACTS names a folder."""
    folder = os.environ.get("STEADYRANK_ARTEFACTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        whole = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
        Path(folder, f"{name}.png").write_bytes(b64decode(whole["data"]))


def overlaps(driver: Any) -> list[str]:
    """Pairs of texts in drawings whose boxes meet by more than a pixel, as ``one / other``."""
    found: list[str] = driver.execute_script(
        """
        const found = [];
        const seen = t => {  // a label is cut off at the edge of the svg that it is in
          const [box, own] = [t.getBoundingClientRect(), t.ownerSVGElement];
          const outer = own.ownerSVGElement;
          if (!outer) return box;
          const left = outer.getBoundingClientRect().left + own.x.baseVal.value;
          return {left: Math.max(box.left, left), top: box.top, bottom: box.bottom,
                  right: Math.min(box.right, left + own.width.baseVal.value)};
        };
        for (const svg of document.querySelectorAll('figure > svg')) {
          const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, seen(t)]);
          for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
            const [a, b] = [boxes[i][1], boxes[j][1]];
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 1 && high > 2) found.push(boxes[i][0] + ' / ' + boxes[j][0]);
          }
        }
        return found;
        """
    )
    return found
