package cli

import (
	"io/fs"
	"os"
	"path/filepath"
)

// demoProject is the demo's first commit.
func demoProject() map[string]string {
	return map[string]string{
		"README.md": "# shop\n\nA small shop.\n\nRun it with `python -m shop`.\n",
		"shop/cart.py": `"""The cart."""

import logging

log = logging.getLogger(__name__)

LIMIT = 100


class Item:
    def __init__(self, name, price, count=1):
        self.name = name
        self.price = price
        self.count = count


def total(items):
    return sum(i.price * i.count for i in items)


def add(items, item):
    if total(items) + item.price > LIMIT:
        raise ValueError("over the limit")
    return items + [item]


def find(items, name):
    for item in items:
        if item.name == name:
            return item
    return None


def remove(items, name):
    item = find(items, name)
    if item is None:
        return items
    log.debug("removed %s", item.name)
    return [i for i in items if i is not item]
`,
		"shop/mailer.py":   "import smtplib\n\n\ndef send(to, text):\n    with smtplib.SMTP(\"localhost\") as server:\n        server.sendmail(\"shop@example.invalid\", [to], text)\n",
		"shop/importer.py": "def load(path):\n    with open(path) as f:\n        return [line.split(\",\") for line in f]\n",
		"shop/config.json": "{\n  \"currency\": \"EUR\",\n  \"locale\": \"en\"\n}\n",
		"shop/limits.txt":  "orders a day: 100\nitems an order: 20\n",
		".gitignore":       "__pycache__/\n*.log\n",
	}
}

// demoTests is the file that the last turn of the demo writes.
const demoTests = `import pytest

from shop.cart import Item, add, total


def test_total():
    assert total([Item("tea", 3), Item("cup", 4, 2)]) == 11


def test_limit():
    with pytest.raises(ValueError):
        add([], Item("piano", 10_000_000))
`

// demoLogo is content that is not text; each version differs in some bytes.
func demoLogo(version byte) []byte {
	logo := make([]byte, 600)
	for i := range logo {
		logo[i] = byte(i) * version
	}
	return logo
}

func (s *story) chmod(name string, mode fs.FileMode) {
	if s.err == nil {
		s.err = os.Chmod(filepath.Join(s.dir, filepath.FromSlash(name)), mode)
	}
}
