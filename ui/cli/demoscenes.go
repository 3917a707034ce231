package cli

import (
	"context"

	"overturn/model"
	"overturn/review/ledger"
)

// demoScenes is the story in order: what is worth seeing of the review, each
// part of it really done and really recorded.
func demoScenes() []func(context.Context, *story) {
	return []func(context.Context, *story){
		sceneDirty, sceneDiscount, sceneUserBetween, sceneReorganise, sceneLostStart, sceneTests, sceneAfter,
	}
}

// sceneDirty: the user has uncommitted work and a staged file before any agent
// runs. None of it is ever the agent's.
func sceneDirty(ctx context.Context, s *story) {
	s.edit("README.md", "A small shop.", "A small shop, in three files.")
	s.write("notes.txt", "call the printer about the receipts\n")
	s.edit("shop/config.json", `"currency": "EUR"`, `"currency": "CHF"`)
	s.git(ctx, "add", "shop/config.json")
}

// sceneDiscount: an edit with hunks worth taking back singly, and an effect outside
// the files.
func sceneDiscount(ctx context.Context, s *story) {
	s.prompt(ctx, "p1", "Give returning customers 5 % off and tidy up the totals")
	s.tool(ctx, "Edit", "", []string{"shop/cart.py"}, func() {
		s.edit("shop/cart.py", "def total(items):\n    return sum(i.price * i.count for i in items)\n",
			"def total(items, customer=None):\n    amount = sum(i.price * i.count for i in items)\n    if customer and customer.orders > 0:\n        amount *= 0.95\n    return round(amount, 2)\n")
		s.edit("shop/cart.py", "LIMIT = 100\n", "LIMIT = 1000000  # nobody needs a limit\n")
		s.edit("shop/cart.py", "    log.debug(\"removed %s\", item.name)\n", "    print(\"removed\", item.name)\n")
	})
	s.tool(ctx, "Bash", "pip install rich", nil, func() {
		s.write("requirements.txt", "rich==13.9.4\n")
	})
	s.effect(ctx, model.Effect{
		Domain: model.DomainPackages, Summary: "pip install rich", Reversible: model.ReversibleUnknown,
		Compensation: "pip uninstall rich",
	})
	s.stop(ctx, model.TurnCompleted)
}

// sceneUserBetween: what the user does between two turns belongs to neither.
func sceneUserBetween(_ context.Context, s *story) {
	s.edit("shop/cart.py", "\"\"\"The cart.\"\"\"", "\"\"\"The cart: what a customer is about to buy.\"\"\"")
}

// sceneReorganise: a new file, a delete, a rename, a binary.
func sceneReorganise(ctx context.Context, s *story) {
	s.prompt(ctx, "p2", "Move the mail code into its own package and drop the old importer")
	s.tool(ctx, "Bash", "mkdir -p shop/mail && mv shop/mailer.py shop/mail/sender.py", nil, func() {
		s.write("shop/mail/__init__.py", "from .sender import send\n")
		s.rename("shop/mailer.py", "shop/mail/sender.py")
	})
	s.tool(ctx, "Bash", "rm shop/importer.py && ./logo > assets/logo.bin", nil, func() {
		s.remove("shop/importer.py")
		s.write("assets/logo.bin", string(demoLogo(2)))
	})
	s.tool(ctx, "Write", "", []string{"shop/mail/templates.py"}, func() {
		s.write("shop/mail/templates.py", "RECEIPT = \"\"\"Dear {name},\n\nthank you for your order of {total}.\n\"\"\"\n")
	})
	s.stop(ctx, model.TurnCompleted)
}

// sceneLostStart: an end whose start nobody saw, as when hooks are put in place
// while an agent works. It is recorded as missing, not made up.
func sceneLostStart(ctx context.Context, s *story) {
	if s.err == nil {
		_, s.err = s.e.ledger.End(ctx, ledger.EndEvent{Thread: demoThread, Agent: "generic", TurnID: "p3", State: model.TurnCompleted})
	}
}

// sceneTests: the agent writes tests and changes a mode; the user edits a file
// meanwhile, at a time when no tool runs.
func sceneTests(ctx context.Context, s *story) {
	s.prompt(ctx, "p4", "Write tests for the cart and a script that runs them")
	s.tool(ctx, "Write", "", []string{"tests/test_cart.py", "run-tests"}, func() {
		s.write("tests/test_cart.py", demoTests)
		s.write("run-tests", "#!/bin/sh\nexec python -m pytest tests \"$@\"\n")
	})
	s.edit("README.md", "Run it with `python -m shop`.", "Run it with `python -m shop --port 8000`.")
	s.tool(ctx, "Bash", "chmod +x run-tests && sed -i s/100/500/ shop/limits.txt", nil, func() {
		s.chmod("run-tests", 0o755)
		s.edit("shop/limits.txt", "orders a day: 100", "orders a day: 500")
	})
	s.stop(ctx, model.TurnInterrupted)
}

// sceneAfter: the user goes on working on a file of the last turn.
func sceneAfter(_ context.Context, s *story) {
	s.edit("tests/test_cart.py", "import pytest\n", "import pytest  # see requirements-dev.txt\n")
}
