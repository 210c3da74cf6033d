"""An agent in Python, with nothing but the standard library: it takes part under a guard over HTTP."""

import json
import sys
import urllib.error
import urllib.request

wire, token = sys.argv[1:3]


def post(path, body, key=None):
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    if key is not None:
        headers["idempotency-key"] = key
    request = urllib.request.Request(wire + path, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        problem = json.load(refusal)
        raise SystemExit(f"{problem['code']}: {problem['detail']}")


def call(run, ref, tool, **arguments):
    """Calls a tool, and waits while a person is asked: sent again under its ref, it is the same call."""
    body = {"tool": tool, "arguments": arguments, "ref": ref, "waits": True}
    outcome = post(f"{run}/calls", body)
    while outcome["status"] == "paused":
        outcome = post(f"{run}/calls", body)
    print(f"{tool}: {outcome['status']}", flush=True)
    return outcome


# sent again under its key, it begins no second run
begun = post("/runs", {"taskClass": "bills", "payload": {"bill": "b-7"}}, key="bill b-7")
run = f"/runs/{begun['taskId']}"

bill = call(run, "call-1", "bill.read", bill="b-7")["result"]
paid = call(run, "call-2", "money.send", to=bill["from"], cents=bill["cents"])

conclusion = post(f"{run}/conclusion", {"payload": {"paid": paid["status"] == "done"}})
print(f"conclusion: {conclusion['status']} {json.dumps(conclusion.get('payload'))}")
