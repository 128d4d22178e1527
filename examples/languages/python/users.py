"""Prints all users of a tenant. Run it with: ROLLCALL_API_KEY=… python3 users.py acme crm"""

import json
import os
import sys
import urllib.parse
import urllib.request

URL = os.environ.get("ROLLCALL_URL", "http://localhost:5225")
KEY = os.environ["ROLLCALL_API_KEY"]


def users(tenant, product):
    """All users, one page after the other."""
    query = {"tenant": tenant, "product": product, "pageLimit": 100}
    while True:
        address = f"{URL}/api/v1/directory-sync/users?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(address, headers={"Authorization": f"Api-Key {KEY}"})
        with urllib.request.urlopen(request) as response:
            page = json.load(response)
        yield from page["data"]
        if "pageToken" not in page:  # absent on the last page; a page before it may be empty
            return
        query["pageToken"] = page["pageToken"]


for user in users(*sys.argv[1:]):
    print(user["id"], user["email"], user["active"])
