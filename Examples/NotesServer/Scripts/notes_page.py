"""Control the page of a NotesServer in headless Chromium, for the script `browse`."""

import importlib.util
import json
import shutil
import urllib.request
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from notes_server import fail


class Page:
    """The page of one user, in a browser of its own."""

    def __init__(self, server, name):
        self.server = server
        self.token = server.add_user(name)
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or fail("chromium is missing; install it")
        # Chromium's own sandbox doesn't work for root, which is the user in many containers.
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1000,900"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = shutil.which("chromedriver") or fail("chromedriver is missing; install chromium-driver")
        self.browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        self.browser.get(server.address + "/")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.quit()

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        return [item for item in self.browser.find_elements(By.CSS_SELECTOR, selector) if item.is_displayed()]

    def status(self):
        return self.find("#status").text

    def titles(self):
        return [note.text for note in self.find_all("#notes .note")]

    def wait(self, failure, condition):
        """Wait until the condition holds, because the page updates after the server's response."""
        try:
            return WebDriverWait(self.browser, 20, ignored_exceptions=[WebDriverException]).until(lambda _: condition())
        except WebDriverException:
            self.expect(False, failure)

    def expect(self, is_right, failure):
        if not is_right:
            fail(f"{failure}; status: {self.status()!r}; notes: {self.titles()}; console: {self.console()}")

    def console(self):
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def expect_quiet_console(self, *expected):
        """Expect no messages except those about the expected statuses of responses."""
        for message in self.console():
            if not any(f"status of {status}" in message for status in expected):
                fail(f"the browser reports: {message}")

    def type(self, selector, text):
        field = self.find(selector)
        field.clear()
        field.send_keys(text)

    def sign_in(self):
        self.type("#token", self.token)
        self.find("#sign-in").click()
        self.wait("signing in does not show the form", lambda: self.find("#title").is_displayed())

    def save(self, title, body="", tags=""):
        self.type("#title", title)
        self.type("#body", body)
        self.type("#tags", tags)
        self.find("#save").click()
        self.wait(f"{title} does not appear", lambda: any(title in note for note in self.titles()))

    def note(self, title):
        self.wait(f"{title} does not appear", lambda: any(title in note for note in self.titles()))
        return next(note for note in self.find_all("#notes .note") if title in note.text)

    def press(self, title, button):
        self.note(title).find_element(By.CSS_SELECTOR, button).click()
        self.accept_alert()

    def accept_alert(self):
        """Accept the alert of the page, if there is one."""
        try:
            self.browser.switch_to.alert.accept()
        except NoAlertPresentException:
            pass

    def send(self, method, path, content=None, headers={}):
        """Send a request without the page, as another program of the same user would."""
        request = urllib.request.Request(
            self.server.address + path, method=method, data=json.dumps(content).encode() if content else None,
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"} | headers)
        with urllib.request.urlopen(request) as response:
            body = response.read()
            return json.loads(body) if body else None

    def stored(self):
        return self.send("GET", "/notes?size=100")["notes"]

    def passed_rules(self, state):
        """Check the current state of the page with axe-core, and return the number of passed rules."""
        # The package is for another driver, but the script that it contains runs in any browser.
        package = importlib.util.find_spec("axe_playwright_python") or fail("axe-playwright-python is missing")
        script = Path(package.submodule_search_locations[0]) / "axe.min.js"
        self.browser.execute_script(script.read_text())
        results = self.browser.execute_async_script("axe.run().then(arguments[0])")
        for violation in results["violations"]:
            nodes = [node["html"][:150] for node in violation["nodes"]]
            fail(f"axe-core on {state}: {violation['id']}, {violation['help']}: {nodes}")
        if len(results["passes"]) < 10:
            fail(f"axe-core has checked too few rules on {state}")
        return len(results["passes"])

    def active(self, selector):
        return self.browser.execute_script("return document.activeElement.matches(arguments[0])", selector)

    def tab_to(self, selector):
        """Press the tab key until an element has the focus. Expect that the focus is always visible."""
        for _ in range(80):
            self.keys(Keys.TAB)
            self.expect_visible_focus()
            if self.active(selector):
                return
        fail(f"the tab key does not lead to {selector}")

    def expect_visible_focus(self):
        is_visible = self.browser.execute_script("""
            const element = document.activeElement
            if (element === document.body) { return true }
            const style = getComputedStyle(element)
            return (style.outlineStyle !== "none" && style.outlineWidth !== "0px") || style.boxShadow !== "none"
        """)
        if not is_visible:
            html = self.browser.switch_to.active_element.get_attribute("outerHTML")
            fail(f"the focus is invisible on {html[:200]}")

    def keys(self, *keys):
        """Press keys in the element that has the focus."""
        ActionChains(self.browser).send_keys(*keys).perform()
