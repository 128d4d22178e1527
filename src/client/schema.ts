// Generated from openapi/openapi.json by `npm run generate`. Do not edit.

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the public keys of the receipts of erasures */
        get: operations["getReceiptKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server/api/scim/oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the metadata of the authorization server */
        get: operations["getAuthorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the directories of a tenant for a product */
        get: operations["listDirectories"];
        put?: never;
        /** Create a directory */
        post: operations["createDirectory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/cron/process-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the events that are due */
        post: operations["processEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/cron/sync-extdir": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sync every Google Workspace directory */
        post: operations["startAllSyncs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/dead-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the dead events of many directories, newest first */
        get: operations["listAllDeadEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/delivery/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events since a time again, of several directories
         * @description Up to 100 directories by `directory_ids`, or all of a `product`, a `tenant` or both, 100 per call: while more follow, send the `pageToken` of the response with the same body.
         */
        post: operations["replayDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/delivery/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume the delivery of events of several directories
         * @description Up to 100 directories by `directory_ids`, or all of a `product`, a `tenant` or both, 100 per call: while more follow, send the `pageToken` of the response with the same body.
         */
        post: operations["resumeDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/directories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List directories of any tenant and product, or find them by name
         * @description With `search`, at most 100 whose name or tenant begins with it, or the one with this id. Secrets are empty.
         */
        get: operations["searchDirectories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the logged deliveries, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        /** Delete the delivery log of a directory */
        delete: operations["deleteDeliveries"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a delivery */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why a user or group did not arrive
         * @description The scope is a directory, a tenant and product, a product, or everything that the API key may read, in one call.
         */
        get: operations["explainSubject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the events after a cursor
         * @description With `Accept: text/event-stream`, the same as server-sent events, continuing with new ones; `Last-Event-ID` takes precedence over `after`. 409 `cursor-diverged`: the stored events are not those that the cursor has passed; request a resync of `diverged.directory_ids`, and continue with `diverged.next`.
         */
        get: operations["readFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List groups, or find some of them */
        get: operations["listGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a group with its members */
        get: operations["getGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/groups/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the users in a group */
        get: operations["listGroupMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the health of directories */
        get: operations["listDirectoryHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/mapping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the mapping of a product, which its directories inherit */
        get: operations["getProductMapping"];
        /** Put a new mapping of a product into effect */
        put: operations["replaceProductMapping"];
        post?: never;
        /** Remove the mapping of a product */
        delete: operations["deleteProductMapping"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/mapping/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say what a mapping of a product would change, without changing anything */
        post: operations["previewProductMapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/mapping/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the last 100 versions of the mapping of a product, newest first */
        get: operations["listProductMappingVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of all directories at once */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/privacy/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase one person from everything that is stored
         * @description The person must not be active. The last event about the person is `user.erased`. The call takes as long as reading everything that is stored about the tenant; an interrupted one is finished at the next start.
         */
        post: operations["erasePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/privacy/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the erasures of a tenant and product, or all, newest first */
        get: operations["listErasures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/privacy/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Export everything that is held about one person */
        post: operations["exportPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/product": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the directories of a product */
        get: operations["listProductDirectories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the provider types */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/refused-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the refused SCIM requests of many directories, newest first */
        get: operations["listRefusedRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/requests/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trace a request or sync run: what it changed, its events and their deliveries */
        get: operations["getTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find users, groups and directories in all directories
         * @description By the beginning of any word of a name, of a userName, email address, externalId or id; directories also of the tenant. A page may be short, or empty, and have a `pageToken` nevertheless: each call examines a limited number of entries.
         */
        get: operations["searchEverything"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/setuplinks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a setup link by id, or by tenant and product */
        get: operations["getSetupLink"];
        put?: never;
        /** Create a setup link; its url is only returned here */
        post: operations["createSetupLink"];
        /** Revoke a setup link */
        delete: operations["deleteSetupLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/setuplinks/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all setup links, newest first, with expired and revoked ones */
        get: operations["listAllSetupLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/setuplinks/product": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the setup links of a product */
        get: operations["listSetupLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users, or find some of them */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a user */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a directory */
        get: operations["getDirectory"];
        put?: never;
        post?: never;
        /** Delete a directory with its users, groups and events */
        delete: operations["deleteDirectory"];
        options?: never;
        head?: never;
        /** Update a directory */
        patch: operations["updateDirectory"];
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/authorization-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a URL to connect a Google Workspace */
        post: operations["createAuthorizationUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/connection/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connect the Google Workspace that waits for approval */
        post: operations["approveConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/dead-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the dead events, which the endpoint rejected permanently or somebody skipped */
        get: operations["listDeadEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the delivery status of a directory */
        get: operations["getDeliveryStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/deprovisioning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get how long it takes to notify the product that users lost access */
        get: operations["getDeprovisioning"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the stored events of a directory, newest first
         * @description For people who look, not for consumers: reading here does not count as reading the feed. With `Accept: text/event-stream`, the events after the cursor `after` as server-sent events, continuing with new ones. 409 `cursor-diverged`: the stored events are not those that the cursor has passed; list them again.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/events/{sequence}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a stored event of a directory, which may be held */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/events/{sequence}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip the event that blocks the delivery of a directory
         * @description The event becomes dead, with the reason, and can be replayed; delivery continues with the next one. 409 `not-blocking`: it is not the next event of the directory, its delivery neither fails nor is paused, or it is held.
         */
        post: operations["skipEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/groups/{groupId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what happened to a group, newest first */
        get: operations["getGroupTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the health of a directory */
        get: operations["getDirectoryHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the hold of a directory, with the affected users */
        get: operations["getHold"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/hold/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Discard the held events and send a resync of the current state */
        post: operations["discardHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/hold/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the held events as they are */
        post: operations["releaseHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/mapping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the mapping in effect in a directory, and the progress of its run */
        get: operations["getMapping"];
        /** Put a new mapping of a directory into effect */
        put: operations["replaceMapping"];
        post?: never;
        /** Remove the mapping of a directory; that of its product takes its place */
        delete: operations["deleteMapping"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/mapping/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the attributes that users of a directory have, with examples */
        get: operations["listSeenAttributes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/mapping/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say what a mapping would change in a directory, without changing anything */
        post: operations["previewMapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/mapping/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the last 100 versions of the mapping of a directory, newest first */
        get: operations["listMappingVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/oauth-clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the OAuth clients of a directory */
        get: operations["listOAuthClients"];
        put?: never;
        /** Create an OAuth client of a directory; its secret is only returned here */
        post: operations["createOAuthClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/oauth-clients/{clientId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an OAuth client, which ends its access tokens */
        delete: operations["deleteOAuthClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause the delivery of events */
        post: operations["pauseDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one event again, or all events from a sequence or time on */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the SCIM requests of a directory, newest first */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume the delivery of events */
        post: operations["resumeDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/resync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the progress of the last resync */
        get: operations["getResync"];
        put?: never;
        /** Send the whole content of a directory as events, in the background */
        post: operations["startResync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate the SCIM secret of a directory */
        post: operations["rotateDirectorySecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/rotate-webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate the webhook secret of a directory */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sync a directory now */
        post: operations["startSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/sync-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sync runs of a directory, newest first */
        get: operations["listSyncRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/sync-runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a sync run */
        get: operations["getSyncRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/sync-runs/{run}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve the deletions that a sync run holds */
        post: operations["approveSyncRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/sync-runs/{run}/held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deletions that a sync run holds */
        get: operations["listHeldDeletions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/test-event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event to the endpoint */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/users/{userId}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say why a user has its roles */
        get: operations["getUserRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory-sync/{id}/users/{userId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what happened to a user, newest first */
        get: operations["getUserTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get what a setup link is for */
        get: operations["getSetup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup/authorization-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a URL to connect a Google Workspace */
        post: operations["createSetupAuthorizationUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup/directory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose the identity provider; the secret is only returned here */
        post: operations["createSetupDirectory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup/directory/oauth-clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an OAuth client; its secret is only returned here */
        post: operations["createSetupOAuthClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup/directory/oauth-clients/{clientId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an OAuth client */
        delete: operations["deleteSetupOAuthClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup/directory/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a new SCIM secret, which is only returned here */
        post: operations["rotateSetupSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the groups that have arrived, by name, with the roles that the customer gave them */
        get: operations["listSetupGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup/groups/{groupId}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Give a group one of the roles of the setup link, or none */
        put: operations["replaceSetupGroupRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup/groups/{groupId}/role/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say whose roles would change if a group had a role, without changing anything */
        post: operations["previewSetupGroupRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get what has arrived from the identity provider */
        get: operations["getSetupHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup/roles/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the progress of the run that changes the roles of users */
        get: operations["getSetupRolesRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/apikey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key; the key is only returned here */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/apikey/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an API key */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the audit trail, newest first */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/event/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the whole audit trail, oldest first, as one JSON entry per line */
        get: operations["exportAuditTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/event/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Verify that no entry of the audit trail was changed or removed */
        get: operations["verifyAuditTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/rotate-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Encrypt every stored secret with the first encryption key */
        post: operations["rotateEncryptionKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tokens of all admins */
        get: operations["listAdminTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/token/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Disable an admin token */
        delete: operations["disableAdminToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/user/_login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in as an admin
         * @description The root token is in the header, `Authorization: token=<ADMIN_ROOT_TOKEN>`, and in the body.
         */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/user/_logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log out: disables your admin token and its JWT */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auditlog/admin/v1/user/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get your account */
        get: operations["getAdmin"];
        /** Change your time zone */
        put: operations["updateAdmin"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process is alive */
        get: operations["checkHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description Not here when `METRICS_PORT` is set.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that requests should be sent to this process
         * @description 503 while the database is not available or accepts no writes, and while the process is about to stop.
         */
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "user.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user was created.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveUserCreatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user changed, including deactivation.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveUserUpdatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user was deleted, which also removed it from its groups.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveUserDeletedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person was erased: erase it, too. No further event is about the person.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveUserErasedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "group.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A group was created.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveGroupCreatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "group.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A group was renamed or otherwise changed.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveGroupUpdatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "group.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A group was deleted, which also removed its members.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveGroupDeletedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "group.user_added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user became a member of a group.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveGroupUserAddedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "group.user_removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user is no longer a member of a group.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveGroupUserRemovedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An operator tests the endpoint. It is not part of the sequence: `sequence` is 0.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveEndpointTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sync.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A resync starts; the numbers of what is to come are approximate.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveSyncStartedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A resync reports a user.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveUserSnapshotEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "group.snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A resync reports a group.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveGroupSnapshotEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A resync reports a member of a group.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveMemberSnapshotEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sync.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A resync is complete: what it has not reported no longer exists.
         * @description In batch mode, the body is an array of the events that are due, of any type, in their order.
         */
        post: operations["receiveSyncCompletedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "directory.delivery_paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delivery is paused, because the endpoint is gone or keeps failing. */
        post: operations["receiveDirectoryDeliveryPausedNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "directory.held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** More users or memberships were removed than the removal limit allows, or too few users keep a role. */
        post: operations["receiveDirectoryHeldNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "directory.unauthorized": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The identity provider sends a wrong secret. */
        post: operations["receiveDirectoryUnauthorizedNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "directory.event_dead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The endpoint rejected an event permanently. */
        post: operations["receiveDirectoryEventDeadNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "directory.credential_expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The secret of an OAuth client expires within 30 days. */
        post: operations["receiveDirectoryCredentialExpiringNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deprovision.overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The product was not notified of a deactivation or deletion in time. */
        post: operations["receiveDeprovisionOverdueNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sync.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A sync with Google failed. */
        post: operations["receiveSyncFailedNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sync.held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A sync with Google holds deletions that need an approval. */
        post: operations["receiveSyncHeldNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AccessToken: {
            /** @example rct_Zb2Xl4oY.01980c5e-8f5c-7a10-9d3c-5b1f0a3cc001.1790000000.mV0Zb2Xl4oYw */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /**
             * @description Seconds.
             * @example 3600
             */
            expires_in: number;
            /** @constant */
            scope: "scim";
        };
        Admin: {
            email: string;
            id: string;
            /**
             * @description An IANA time zone name.
             * @example Europe/Berlin
             */
            timezone: string;
        };
        AdminToken: {
            id: string;
            user: {
                id: string;
                email: string;
            };
            disabled: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string;
        };
        AdminUserInput: {
            /** @description An IANA name like Europe/Berlin or UTC. */
            timezone: string;
        };
        ApiKey: {
            id: string;
            name: string;
            prefix: string;
            scope: {
                tenant: string | null;
                product: string | null;
                readOnly: boolean;
            };
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            last_used_at: string | null;
        };
        ApiKeyInput: {
            /** @description Text of 1 to 200 characters, without control characters. */
            name: string;
            /** @description An object with the optional fields tenant and product (text of 1 to 200 characters, without ":" and control characters) and readOnly (true or false), and no others. */
            scope?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                readOnly?: boolean;
                read_only?: boolean;
            };
            /** @description A time in the future, like 2030-01-31T12:00:00Z or 1896091200000 (Unix milliseconds); null for never. */
            expires_at?: string | number | null;
        };
        AttributeMapping: {
            /** @description An array of 1 to 5 SCIM attribute paths; the first one with a value counts. */
            from: string[];
            /** @description An array of at most 20 steps, each lower, upper, trim, {"after": "…"}, {"before": "…"}, {"map": {…}} or {"default": …}. */
            transform?: (("lower" | "upper" | "trim") | {
                after: string;
            } | {
                before: string;
            } | {
                map: {
                    [key: string]: string | number | boolean;
                };
            } | {
                default: string | number | boolean;
            })[];
        };
        AuditChain: {
            /** @constant */
            ok: true;
            entries: number;
            /** @description The number of entries from which personal fields were erased. */
            erased: number;
            from: number;
            to: number;
            first_at: string | null;
            last_at: string | null;
            end: {
                sequence: number;
                hash: string;
            };
        } | {
            /** @constant */
            ok: false;
            break: {
                sequence: number;
                what: string;
                message: string;
            };
        };
        AuditEntry: {
            /** @description 1, 2, 3 … across the whole service, without gaps. */
            sequence: number;
            id: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            action: "admin.login" | "admin.login_failed" | "admin.logout" | "admin.updated" | "admin_token.disabled" | "console.signed_in" | "console.signed_out" | "api_key.created" | "api_key.deleted" | "directory.created" | "directory.updated" | "directory.deleted" | "directory.secret_rotated" | "directory.webhook_secret_rotated" | "directory.connected" | "directory.connection_requested" | "directory.connection_approved" | "directory.resync_started" | "directory.imported" | "directory.hold_released" | "directory.hold_discarded" | "directory.sync_started" | "directory.sync_approved" | "delivery.paused" | "delivery.resumed" | "delivery.replayed" | "delivery.skipped" | "delivery_log.deleted" | "setup_link.created" | "setup_link.deleted" | "mapping.changed" | "mapping.removed" | "oauth_client.created" | "oauth_client.deleted" | "person.exported" | "person.erased" | "encryption_key.rotated" | "database.backed_up" | "audit.exported";
            actor: {
                kind: string;
                id: string | null;
                name: string | null;
            };
            request_id: string | null;
            address: string | null;
            target: {
                kind: string;
                id: string | null;
                tenant: string | null;
                product: string | null;
            };
            changes: {
                [key: string]: unknown;
            } | null;
            /** @description The fields whose values were erased with the data of a person: `actor.name`, `address`, `changes.<field>`. */
            erased: string[];
            previous_hash: string;
            hash: string;
        };
        AuthorizationServerMetadata: {
            issuer: string;
            token_endpoint: string;
            grant_types_supported: string[];
            response_types_supported: string[];
            scopes_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            token_endpoint_auth_signing_alg_values_supported: string[];
        };
        AuthorizationUrl: {
            /** @description An administrator of the Google Workspace opens it; one completed consent ends it. */
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        /**
         * @description The top-level attributes that an update changed, and of a mapping `roles` and `attributes.<name>`; null means an absent attribute.
         * @example {
         *       "active": {
         *         "from": true,
         *         "to": false
         *       }
         *     }
         */
        Changes: {
            [key: string]: {
                from: unknown;
                to: unknown;
                /** @description Only of roles: the rules that give or deny the roles that changed. */
                because?: components["schemas"]["RoleReason"][];
            };
        };
        CreateDirectoryInput: {
            /** @description Text of 1 to 200 characters, without ":" and control characters. */
            tenant: string;
            /** @description Text of 1 to 200 characters, without ":" and control characters. */
            product: string;
            /**
             * @description One of okta-scim-v2, azure-scim-v2, onelogin-scim-v2, jumpcloud-scim-v2, pingone-scim-v2, pingfederate-scim-v2, rippling-scim-v2, cyberark-scim-v2, sailpoint-scim-v2, generic-scim-v2, extdir.
             * @enum {string}
             */
            type?: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
            /** @description Text of 1 to 200 characters, without control characters. */
            name?: string;
            /** @description An http or https URL without credentials, at most 2000 characters; "" or null removes it. */
            webhook_url?: string | null;
            /** @description Text of at most 200 characters; if omitted, a "whsec_…" secret is generated. */
            webhook_secret?: string;
            /** @description True or false. */
            log_webhook_events?: boolean | "true" | "false";
            /** @description True or false. */
            log_scim_requests?: boolean | "true" | "false";
            /** @description True or false. */
            unique_group_names?: boolean | "true" | "false";
            /**
             * @description Any, or oauth to refuse the SCIM secret, so that SCIM requests need an access token of an OAuth client.
             * @enum {unknown}
             */
            scim_auth?: "any" | "oauth";
            /** @description True or false. */
            deactivated?: boolean | "true" | "false";
            /** @description An object with percent (a whole number from 0 to 100), minimum (0 to 1000000) and window_seconds (1 to 604800), each optional; null turns the limit off. */
            removal_limit?: {
                percent?: number;
                minimum?: number;
                window_seconds?: number;
            } | null;
            /** @description A domain like example.com (international names as xn--…); "" or null for the whole account. */
            extdir_domain?: string | null;
            /** @description Text of at most 4000 characters; null removes it. */
            extdir_access_token?: string | null;
            /** @description Text of at most 4000 characters; null removes it. */
            extdir_refresh_token?: string | null;
            /** @description The JSON of its key file, at most 8192 characters; "" or null removes it. It is never returned. */
            extdir_service_account?: Record<string, never> | string | null;
            /** @description The email address of the administrator that the service account acts as; "" or null removes it. */
            extdir_subject?: string | null;
        };
        DeadEvent: {
            sequence: number;
            died_at: string;
            /** @description Why the last attempt failed, or why somebody skipped the event. */
            reason: string;
            /** @description Whether somebody skipped the event. */
            skipped: boolean;
            payload: components["schemas"]["Event"] | components["schemas"]["ErasedEvent"];
        };
        Delivery: {
            id: string;
            directory_id: string;
            /** @description The tenant of the directory. */
            tenant: string;
            /** @description The sequence of the event, or of the first event of a batch. */
            sequence: number;
            event_id: string;
            /** @enum {string} */
            event: "user.created" | "user.updated" | "user.deleted" | "user.erased" | "group.created" | "group.updated" | "group.deleted" | "group.user_added" | "group.user_removed" | "endpoint.test" | "sync.started" | "user.snapshot" | "group.snapshot" | "member.snapshot" | "sync.completed";
            /** @description The x-request-id of the request that caused the event. */
            request_id: string;
            /** @description More than 1 for a batch. */
            event_count: number;
            /** @description Without credentials and query. */
            webhook_endpoint: string;
            /** @description Null when there was no response. */
            status_code: number | null;
            latency_ms: number;
            /** @description 1, 2, 3 … per event. */
            attempt: number;
            error: string | null;
            delivered: boolean;
            /** Format: date-time */
            created_at: string;
            /** @description The request body; null when it was larger than 256 KB. */
            payload: unknown;
            payload_truncated: boolean;
            /** @description The first 2 KB of the response body. */
            response_body: string;
        };
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When the attempt ended.
             */
            at: string;
            /** @enum {unknown} */
            target: "endpoint" | "on-event";
            /** @description 1, 2, 3 … per event. */
            attempt: number;
            /** @description Null when there was no response. */
            status: number | null;
            /** @description Null when the event was delivered. */
            error: string | null;
            duration_ms: number;
            /** @description The first 2 KB of the response body, without passwords; kept for refused attempts, and for all while log_webhook_events is on. */
            response_body: string | null;
        };
        DeliveryOfOne: {
            directory_id: string;
            /** @description Null when the directory was refused. */
            status: components["schemas"]["DeliveryStatus"] | null;
            error: {
                /** @enum {unknown} */
                reason: "invalid-input" | "directory-not-found" | "resource-not-found" | "gone" | "unauthorized" | "directory-deactivated" | "forbidden" | "user-name-taken" | "group-name-taken" | "version-mismatch" | "mapping-changed" | "too-many-directories" | "too-many-clients" | "directory-in-use" | "setup-link-exists" | "already-running" | "cursor-diverged" | "not-held" | "hold-changed" | "not-blocking" | "user-active" | "directory-held" | "ambiguous-subject" | "needs-authorization" | "busy" | "authorization-failed" | "not-configured" | "too-many-attempts" | "content-too-large" | "unsupported-media-type" | "internal-error" | "unavailable";
                message: string;
            } | null;
        };
        DeliveryStatus: {
            /** @enum {unknown} */
            state: "off" | "flowing" | "failing" | "paused" | "held";
            delivered_sequence: number;
            last_sequence: number;
            undelivered: number;
            /** @description Failed attempts in a row. */
            failures: number;
            failing_since: string | null;
            next_attempt_at: string | null;
            paused: {
                /** @enum {unknown} */
                reason: "gone" | "failing" | "operator";
                at: string;
            } | null;
            dead_events: number;
        };
        /** @description The product was not notified of a deactivation or deletion in time. */
        DeprovisionOverdueNotice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "deprovision.overdue";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
                directory_id: string;
                /** @example scim-acme-crm */
                directory_name: string;
                /** @example acme */
                tenant: string;
                /** @example crm */
                product: string;
                /**
                 * @description What happened and what to do.
                 * @example Delivery is paused.
                 */
                message: string;
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3c0001 */
                user_id: string;
                /** @example 7 */
                sequence: number;
                /** Format: date-time */
                since: string;
                /** @description How many became overdue at once; the other fields are of the first. */
                overdue: number;
            };
        };
        DeprovisioningTimes: {
            /** @description How many ended in the last 30 days. */
            count: number;
            p50_ms: number | null;
            p95_ms: number | null;
            p99_ms: number | null;
            /** @description DEPROVISION_TARGET. */
            target_ms: number;
            /** @description The oldest 100 that the product has not received within the target. */
            overdue: {
                user_id: string;
                /** @description The userName. */
                subject: string;
                /** @description When the request of the identity provider arrived. */
                since: string;
                /** @description Of the event. */
                sequence: number;
            }[];
        };
        Directory: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            id: string;
            /** @example scim-acme-crm */
            name: string;
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /**
             * @example okta-scim-v2
             * @enum {string}
             */
            type: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
            /** @example false */
            log_webhook_events: boolean;
            /** @example false */
            log_scim_requests: boolean;
            /**
             * @description Whether a second group of a name, in any letter case, is rejected with 409 over SCIM.
             * @example false
             */
            unique_group_names: boolean;
            /**
             * @description Any, or oauth: the SCIM secret is refused, and SCIM requests need an access token of an OAuth client.
             * @enum {unknown}
             */
            scim_auth: "any" | "oauth";
            /** @example false */
            deactivated: boolean;
            /** @description When too many removals hold the events; null: never. */
            removal_limit: {
                /** @example 30 */
                percent: number;
                /** @example 20 */
                minimum: number;
                /** @example 3600 */
                window_seconds: number;
            } | null;
            /** @description What the identity provider needs. Empty texts for Google Workspace. */
            scim: {
                /** @example /api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
                path: string;
                /** @example mV0Zb2Xl4oYwT3rK9sPqJ7uH */
                secret: string;
                /** @example https://rollcall.example/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
                endpoint: string;
            };
            /** @description Where the events are sent. Empty texts without an endpoint. */
            webhook: {
                /** @example https://crm.example/hooks/rollcall */
                endpoint: string;
                /** @example whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r */
                secret: string;
            };
            extdir_domain?: string;
            extdir_access_token?: string;
            extdir_refresh_token?: string;
            extdir_service_account_email?: string;
            extdir_subject?: string;
            extdir_authorization_url?: string;
            /** @enum {string} */
            extdir_authorization_status?: "none" | "authorized" | "needs_authorization";
            extdir_authorization_error?: string | null;
            extdir_pending_connection?: {
                workspace: string | null;
                reason: string;
            };
        };
        /** @description The secret of an OAuth client expires within 30 days. */
        DirectoryCredentialExpiringNotice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "directory.credential_expiring";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
                directory_id: string;
                /** @example scim-acme-crm */
                directory_name: string;
                /** @example acme */
                tenant: string;
                /** @example crm */
                product: string;
                /**
                 * @description What happened and what to do.
                 * @example Delivery is paused.
                 */
                message: string;
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cc001 */
                client_id: string;
                name: string | null;
                /** Format: date-time */
                expires_at: string;
                /** @description How many expire; the other fields are of the first. */
                clients: number;
            };
        };
        /** @description Delivery is paused, because the endpoint is gone or keeps failing. */
        DirectoryDeliveryPausedNotice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "directory.delivery_paused";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
                directory_id: string;
                /** @example scim-acme-crm */
                directory_name: string;
                /** @example acme */
                tenant: string;
                /** @example crm */
                product: string;
                /**
                 * @description What happened and what to do.
                 * @example Delivery is paused.
                 */
                message: string;
                /** @enum {unknown} */
                reason: "gone" | "failing";
                /**
                 * @description Of the next event.
                 * @example 7
                 */
                sequence: number;
                /** Format: date-time */
                failing_since: string;
            };
        };
        /** @description The endpoint rejected an event permanently. */
        DirectoryEventDeadNotice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "directory.event_dead";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
                directory_id: string;
                /** @example scim-acme-crm */
                directory_name: string;
                /** @example acme */
                tenant: string;
                /** @example crm */
                product: string;
                /**
                 * @description What happened and what to do.
                 * @example Delivery is paused.
                 */
                message: string;
                /** @example 7 */
                sequence: number;
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701 */
                event_id: string;
                /** @enum {unknown} */
                event: "user.created" | "user.updated" | "user.deleted" | "user.erased" | "group.created" | "group.updated" | "group.deleted" | "group.user_added" | "group.user_removed" | "endpoint.test" | "sync.started" | "user.snapshot" | "group.snapshot" | "member.snapshot" | "sync.completed";
                /** @description How many events are dead; several for a batch. */
                dead_events: number;
                /** @example answered 400 */
                reason: string;
            };
        };
        DirectoryHealth: {
            /** @enum {unknown} */
            state: "healthy" | "attention" | "failing";
            /** @description Why the directory is not healthy, the worst first. */
            reasons: {
                /** @enum {unknown} */
                code: "deactivated" | "never-connected" | "unauthorized" | "not-connected" | "connection-lost" | "sync-failed" | "sync-held" | "held" | "no-consumer" | "delivery-paused" | "delivery-failing" | "delivery-behind" | "dead-events" | "deprovisioning-overdue" | "credential-expiring" | "sync-not-scheduled";
                message: string;
                since: string | null;
            }[];
            last_request_at: string | null;
            last_success_at: string | null;
            last_change_at: string | null;
            failed_authentications: {
                count: number;
                last_at: string | null;
                last_address: string | null;
                /** @description What was wrong with the last one, if it was more than a wrong or missing secret. */
                last_problem: string | null;
                /** @description Since the last request with the right secret. */
                since_last_success: number;
            };
            /** @description Null without an endpoint. */
            delivery: {
                /** @enum {unknown} */
                state: "off" | "flowing" | "failing" | "paused" | "held";
                delivered_sequence: number;
                last_sequence: number;
                /** @description Events that the endpoint has not accepted yet. */
                pending: number;
                /** @description Failed attempts in a row. */
                failures: number;
                failing_since: string | null;
                next_attempt_at: string | null;
                paused_at: string | null;
                pause_reason: ("gone" | "failing" | "operator") | null;
                /** @description Counted up to 1,000. */
                dead_events: number;
                last_error: string | null;
            } | null;
            /** @description The first reason for which events are held; null unless they are. */
            hold: {
                since: string;
                /** @enum {unknown} */
                reason: "users" | "memberships" | "roles" | "adoption";
                /** @description How many count. */
                removals: number;
                /** @description Of the first held event. */
                first_sequence: number;
                /** @description All reasons, by their first events. */
                reasons: {
                    since: string;
                    /** @enum {unknown} */
                    reason: "users" | "memberships" | "roles" | "adoption";
                    /** @description How many count. */
                    removals: number;
                    /** @description Of the first held event. */
                    first_sequence: number;
                }[];
            } | null;
            behaviors: {
                connection_tested: {
                    first_at: string;
                    last_at: string;
                } | null;
                user_created: {
                    first_at: string;
                    last_at: string;
                } | null;
                user_updated: {
                    first_at: string;
                    last_at: string;
                } | null;
                user_deactivated: {
                    first_at: string;
                    last_at: string;
                } | null;
                user_reactivated: {
                    first_at: string;
                    last_at: string;
                } | null;
                user_deleted: {
                    first_at: string;
                    last_at: string;
                } | null;
                group_pushed: {
                    first_at: string;
                    last_at: string;
                } | null;
                member_added: {
                    first_at: string;
                    last_at: string;
                } | null;
                member_removed: {
                    first_at: string;
                    last_at: string;
                } | null;
            };
        };
        /** @description More users or memberships were removed than the removal limit allows, or too few users keep a role. */
        DirectoryHeldNotice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "directory.held";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
                directory_id: string;
                /** @example scim-acme-crm */
                directory_name: string;
                /** @example acme */
                tenant: string;
                /** @example crm */
                product: string;
                /**
                 * @description What happened and what to do.
                 * @example Delivery is paused.
                 */
                message: string;
                /** @enum {unknown} */
                reason: "users" | "memberships" | "roles" | "adoption";
                /** @example 4000 */
                removals: number;
                /** @example 4120 */
                active_users: number;
                /**
                 * @description Of the first event that is held.
                 * @example 58213
                 */
                first_sequence: number;
                /** @description Only for the reason roles; so are the next two. */
                role?: string;
                role_users?: number;
                keep_at_least?: number;
            };
        };
        /** @description The identity provider sends a wrong secret. */
        DirectoryUnauthorizedNotice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "directory.unauthorized";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
                directory_id: string;
                /** @example scim-acme-crm */
                directory_name: string;
                /** @example acme */
                tenant: string;
                /** @example crm */
                product: string;
                /**
                 * @description What happened and what to do.
                 * @example Delivery is paused.
                 */
                message: string;
                /**
                 * @description Failed requests in a row.
                 * @example 5
                 */
                failures: number;
                /** Format: date-time */
                since: string;
                /** Format: date-time */
                last_at: string;
            };
        };
        EndHoldInput: {
            /** @description At least one of users, memberships, roles, adoption, sync, each once. */
            reasons?: ("users" | "memberships" | "roles" | "adoption" | "sync")[];
            /** @description The version of the hold that was read. */
            version?: string;
        };
        /** @description An operator tests the endpoint. It is not part of the sequence: `sequence` is 0. */
        EndpointTestEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "endpoint.test";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["TestMessage"];
        };
        EraseInput: {
            /** @description Text of 1 to 200 characters, without ":" and control characters. */
            tenant: string;
            /** @description Text of 1 to 200 characters, without ":" and control characters. */
            product: string;
            /** @description The id, userName, externalId or an e-mail address of a user who exists or was deleted; 1 to 512 characters, without control characters. */
            subject: string;
            /** @description Why, for the list of erasures, such as the number of a ticket; at most 500 characters, without control characters and without data about the person. */
            reason?: string;
            /** @description True or false; true: counts what would be erased, and changes nothing. */
            dry_run?: boolean;
        };
        /** @description An earlier event about a person who was erased. */
        ErasedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /** @enum {unknown} */
            event: "user.created" | "user.updated" | "user.deleted" | "user.snapshot" | "group.user_added" | "group.user_removed" | "member.snapshot";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001 */
                id: string;
                /**
                 * @description The person was erased: nothing else is known.
                 * @constant
                 */
                erased: true;
                group?: components["schemas"]["GroupOfMember"];
                /**
                 * @description The id of the resync.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01
                 */
                sync_id?: string;
            };
        };
        /** @description The number of changed and removed rows of each kind. */
        ErasedPlaces: {
            /**
             * @description Users that were removed, and others that referred to the person.
             * @example 1
             */
            users: number;
            /**
             * @description Groups that referred to the person.
             * @example 1
             */
            groups: number;
            /**
             * @description Events without the person from now on.
             * @example 1
             */
            events: number;
            /**
             * @description Reasons of dead events.
             * @example 1
             */
            dead_events: number;
            /**
             * @description Recorded deliveries, and attempts to deliver.
             * @example 1
             */
            deliveries: number;
            /**
             * @description Requests in the request log.
             * @example 1
             */
            requests: number;
            /**
             * @description Sync runs whose error named the person.
             * @example 1
             */
            sync_runs: number;
            /**
             * @description Removals that are counted, open deprovisionings, notices and setup links.
             * @example 1
             */
            holds: number;
            /**
             * @description Entries of the audit trail.
             * @example 1
             */
            audit: number;
        };
        /** @description A person who was erased. */
        ErasedUser: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001 */
            id: string;
            /**
             * @description The person was erased: nothing else is known.
             * @constant
             */
            erased: true;
        };
        Erasure: {
            /** @description Null in a dry run. */
            erasure_id: string | null;
            /** Format: date-time */
            at: string;
            places: components["schemas"]["ErasedPlaces"];
            /** @description Proves the erasure; null in a dry run. */
            receipt: string | null;
            /** @description With it, the holder of the receipt can check whom it is about. It is only returned here; null in a dry run. */
            subject_key: string | null;
        };
        Error: {
            data: null;
            error: {
                /** @description What is wrong, and how to fix it. */
                message: string;
                /** @description The status of the response. */
                code: number;
                /**
                 * @description Why the request failed, for programs.
                 * @enum {unknown}
                 */
                reason: "invalid-input" | "directory-not-found" | "resource-not-found" | "gone" | "unauthorized" | "directory-deactivated" | "forbidden" | "user-name-taken" | "group-name-taken" | "version-mismatch" | "mapping-changed" | "too-many-directories" | "too-many-clients" | "directory-in-use" | "setup-link-exists" | "already-running" | "cursor-diverged" | "not-held" | "hold-changed" | "not-blocking" | "user-active" | "directory-held" | "ambiguous-subject" | "needs-authorization" | "busy" | "authorization-failed" | "not-configured" | "too-many-attempts" | "content-too-large" | "unsupported-media-type" | "internal-error" | "unavailable";
                /** @description The `x-request-id` of the response. */
                request_id: string;
                /** @description Every invalid field of an input. */
                problems?: {
                    field: string;
                    message: string;
                }[];
                /** @description How to go on after `cursor-diverged`. */
                diverged?: {
                    /** @description The directories to resync. */
                    directory_ids: string[];
                    /** @description The cursor that continues with their resyncs; send it as `after`. */
                    next: string;
                };
            };
        };
        /** @description A change of a directory, in one of the forms that `event` names. */
        Event: components["schemas"]["UserCreatedEvent"] | components["schemas"]["UserUpdatedEvent"] | components["schemas"]["UserDeletedEvent"] | components["schemas"]["UserErasedEvent"] | components["schemas"]["GroupCreatedEvent"] | components["schemas"]["GroupUpdatedEvent"] | components["schemas"]["GroupDeletedEvent"] | components["schemas"]["GroupUserAddedEvent"] | components["schemas"]["GroupUserRemovedEvent"] | components["schemas"]["EndpointTestEvent"] | components["schemas"]["SyncStartedEvent"] | components["schemas"]["UserSnapshotEvent"] | components["schemas"]["GroupSnapshotEvent"] | components["schemas"]["MemberSnapshotEvent"] | components["schemas"]["SyncCompletedEvent"];
        EventGroup: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001 */
            id: string;
            /** @example Engineering */
            name: string;
            raw: components["schemas"]["RawGroup"];
        };
        EventUser: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001 */
            id: string;
            /** @example Barbara */
            first_name: string;
            /** @example Jensen */
            last_name: string;
            /** @example bjensen@acme.example */
            email: string;
            active: boolean;
            /** @description The deleted user as which this one was recognized when it was created; absent if there is none. */
            returned_from?: {
                /**
                 * @description The id of the deleted user.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca000
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was deleted.
                 */
                deleted_at: string;
            };
            /**
             * @description Sorted; only in a directory with a mapping, as is attributes.
             * @example [
             *       "admin",
             *       "member"
             *     ]
             */
            roles?: string[];
            /**
             * @example {
             *       "department": "Sales"
             *     }
             */
            attributes?: {
                [key: string]: string | number | boolean;
            };
            raw: components["schemas"]["RawUser"];
        };
        ExplainCandidate: {
            /** @description Null when requests named it without saying what it is. */
            type: ("User" | "Group") | null;
            /** @description Send it as `subject`, with the `directoryId`, to ask for this one; null when it was never stored. */
            id: string | null;
            /** @description The present name, or the name in the query. */
            name: string;
            directory: {
                id: string;
                name: string;
                tenant: string;
                product: string;
                type: string;
            };
            /** @description Null when there are so many candidates that this one was not explained. */
            verdict: ("never-sent" | "looked-up-only" | "refused" | "unauthorized" | "waiting" | "failing" | "dead" | "held" | "delivered" | "deactivated" | "deleted" | "unknown") | null;
            /** @description When what decides happened; without a verdict, when its newest record was made. */
            at: string | null;
        };
        Explanation: {
            /**
             * @description Where the user or group got stuck.
             * @enum {unknown}
             */
            verdict: "never-sent" | "looked-up-only" | "refused" | "unauthorized" | "waiting" | "failing" | "dead" | "held" | "delivered" | "deactivated" | "deleted" | "unknown";
            /** @description When what decides happened; null when nothing has happened. */
            at: string | null;
            /** @description What was seen, and when. You can send it to the customer. */
            sentence: string;
            /** @description What you should do. */
            advice: string;
            /** @description The call of the API that the advice asks for; null when it is not a single one. */
            action: {
                /** @enum {unknown} */
                kind: "resume-delivery" | "replay" | "test-endpoint" | "set-endpoint" | "release-hold" | "rotate-secret" | "reconnect" | "start-sync" | "approve-deletions" | "activate-directory" | "show-sync-runs" | "show-request" | "show-oauth-clients";
                directory_id: string;
                /** @description The event to send again. */
                sequence?: number;
                /** @description The request to show. */
                request_id?: string;
            } | null;
            /** @description What was seen and what to do, for the customer's administrator. */
            for_customer: string;
            /** @description The user or group that is stored now. */
            subject: {
                /** @enum {unknown} */
                type: "User" | "Group";
                id: string;
                name: string;
                /** @description The deleted user as which this one was recognized when it was created; absent if there is none. */
                returned_from?: {
                    /**
                     * @description The id of the deleted user.
                     * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca000
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it was deleted.
                     */
                    deleted_at: string;
                };
            } | null;
            /** @description The directory that the verdict is about; null when none of several directories knows the subject. */
            directory: {
                id: string;
                name: string;
                tenant: string;
                product: string;
                type: string;
            } | null;
            /** @description The newest entries of its timeline. */
            evidence: components["schemas"]["TimelineEntry"][];
            /** @description The users and groups that the subject may mean, at most 100; the first one is that of the verdict. Empty when none is known. */
            candidates: components["schemas"]["ExplainCandidate"][];
            /** @description Whether there are more candidates. */
            has_more_candidates: boolean;
            searched: {
                /** @description The number of directories in the scope. */
                directories: number;
                /** @description Whether all of them could be searched. */
                complete: boolean;
                /** @description Requests are kept since then; null while the request log is off. */
                requests_since: string | null;
            };
        };
        FeedPage: {
            data: (components["schemas"]["Event"] | components["schemas"]["ErasedEvent"])[];
            /**
             * @description The cursor after these events; send it as `after`.
             * @example AlJ0w5uxB6Cp3xq3zAtA1AE
             */
            next: string;
            /** @description A directory of the scope whose further events are held; absent when there is none. */
            held?: {
                directory_id: string;
                /** Format: date-time */
                since: string;
            };
            error: null;
        };
        Group: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001 */
            id: string;
            /** @example Engineering */
            name: string;
            raw: components["schemas"]["RawGroup"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-14T17:05:21.250Z
             */
            updated_at: string;
            /**
             * @description The tenant of its directory; only if `product` alone is the scope.
             * @example acme
             */
            tenant?: string;
            /**
             * @description Its directory.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
             */
            directory_id: string;
        };
        /** @description A group was created. */
        GroupCreatedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "group.created";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["EventGroup"];
        };
        /** @description A group was deleted, which also removed its members. */
        GroupDeletedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "group.deleted";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["EventGroup"];
        };
        /** @description The group of a membership. */
        GroupOfMember: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001 */
            id: string;
            /** @example Engineering */
            name: string;
            raw?: components["schemas"]["RawGroup"];
            /**
             * @description There is no `raw`, as the event would have more than 16 KB.
             * @constant
             */
            raw_omitted?: true;
        };
        GroupSnapshot: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001 */
            id: string;
            /** @example Engineering */
            name: string;
            raw: components["schemas"]["RawGroup"];
            /**
             * @description The id of the resync.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01
             */
            sync_id: string;
        };
        /** @description A resync reports a group. */
        GroupSnapshotEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "group.snapshot";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["GroupSnapshot"];
        };
        /** @description A group was renamed or otherwise changed. */
        GroupUpdatedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "group.updated";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["EventGroup"];
            changes: components["schemas"]["Changes"];
        };
        /** @description A user became a member of a group. */
        GroupUserAddedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "group.user_added";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["UserInGroup"];
        };
        /** @description A user is no longer a member of a group. */
        GroupUserRemovedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "group.user_removed";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["UserInGroup"];
        };
        GroupWithMembers: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001 */
            id: string;
            /** @example Engineering */
            name: string;
            raw: components["schemas"]["RawGroup"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-14T17:05:21.250Z
             */
            updated_at: string;
            /**
             * @description The tenant of its directory; only if `product` alone is the scope.
             * @example acme
             */
            tenant?: string;
            /**
             * @description Its directory.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
             */
            directory_id: string;
            members: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001 */
                group_id: string;
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001 */
                user_id: string;
            }[];
        };
        Health: {
            /** @constant */
            status: "ok";
        };
        HeldDeletion: {
            /** @enum {unknown} */
            kind: "user" | "group";
            id: string;
        };
        HeldRole: {
            role: string;
            /** @description How many had it after the last change that left too few. */
            users: number;
            /** @description How many users must keep it. */
            keep_at_least: number;
            since: string;
            first_sequence: number;
        };
        /** @description The fields besides `held`, `reasons` and `version` are those of one reason: the first, or the one that the query names. */
        Hold: {
            held: boolean;
            since: string | null;
            reason: ("users" | "memberships" | "roles" | "adoption" | "sync") | null;
            /** @description The role that too few users have, if that is the reason. */
            role: string | null;
            /** @description How many had it after the last change that left too few. */
            role_users: number | null;
            /** @description How many users must keep it. */
            keep_at_least: number | null;
            limit: {
                /** @example 30 */
                percent: number;
                /** @example 20 */
                minimum: number;
                /** @example 3600 */
                window_seconds: number;
            } | null;
            /** @description The number of removals that count, without users who came back. */
            removals: number;
            /** @description The highest number of active users within the window. */
            active_users: number;
            /** @description Of the first held event. */
            first_sequence: number | null;
            /** @description The users whose removals count, or counted until they came back, in the order of removal. */
            users: components["schemas"]["RemovedUser"][];
            /** @description All reasons, by their first events. */
            reasons: components["schemas"]["HoldReason"][];
            /** @description Send it with a release or discard, which then ends no reason that has come since. */
            version: string | null;
        };
        HoldReason: {
            /** @enum {unknown} */
            reason: "users" | "memberships" | "roles" | "adoption" | "sync";
            since: string;
            /** @description Of the first event that is held for this reason; null when there is no event yet. */
            first_sequence: number | null;
            /** @description The exceeded limit, if there is one. */
            limit: {
                /** @example 30 */
                percent: number;
                /** @example 20 */
                minimum: number;
                /** @example 3600 */
                window_seconds: number;
            } | null;
            /** @description The number of removals that count, without those that were undone. */
            removals: number;
            /** @description The highest number of active users, or of memberships, within the window. */
            highest: number | null;
            /** @description The users whose removals count: at most a page of them. */
            users: components["schemas"]["RemovedUser"][];
            /** @description The roles that too few users have, if that is the reason. */
            roles: components["schemas"]["HeldRole"][];
            /** @description Grows when the directory is held for this reason again. */
            version: number;
        };
        JsonWebKeySet: {
            keys: {
                /** @constant */
                kty: "OKP";
                /** @constant */
                crv: "Ed25519";
                x: string;
                kid: string;
                /** @constant */
                use: "sig";
                /** @constant */
                alg: "EdDSA";
            }[];
        };
        ListedDeadEvent: {
            directory_id: string;
            /** @description The name of the directory. */
            name: string;
            tenant: string;
            product: string;
            sequence: number;
            event_id: string;
            /** @enum {string} */
            event: "user.created" | "user.updated" | "user.deleted" | "user.erased" | "group.created" | "group.updated" | "group.deleted" | "group.user_added" | "group.user_removed" | "endpoint.test" | "sync.started" | "user.snapshot" | "group.snapshot" | "member.snapshot" | "sync.completed";
            /** @description The x-request-id of the request that caused the event. */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            /** @description The user or group that the event is about; null for the events of a resync. */
            resource: {
                /** @enum {unknown} */
                type: "User" | "Group";
                id: string;
            } | null;
            /** Format: date-time */
            died_at: string;
            /** @description Why the last attempt failed, or why somebody skipped the event. */
            reason: string;
            /** @description Whether somebody skipped the event. */
            skipped: boolean;
        };
        ListedDirectoryHealth: {
            directory_id: string;
            name: string;
            tenant: string;
            product: string;
            /** @enum {string} */
            type: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
            /** @enum {unknown} */
            state: "healthy" | "attention" | "failing";
            /** @description Why the directory is not healthy, the worst first. */
            reasons: {
                /** @enum {unknown} */
                code: "deactivated" | "never-connected" | "unauthorized" | "not-connected" | "connection-lost" | "sync-failed" | "sync-held" | "held" | "no-consumer" | "delivery-paused" | "delivery-failing" | "delivery-behind" | "dead-events" | "deprovisioning-overdue" | "credential-expiring" | "sync-not-scheduled";
                message: string;
                since: string | null;
            }[];
            last_request_at: string | null;
            last_success_at: string | null;
            last_change_at: string | null;
            failed_authentications: {
                count: number;
                last_at: string | null;
                last_address: string | null;
                /** @description What was wrong with the last one, if it was more than a wrong or missing secret. */
                last_problem: string | null;
                /** @description Since the last request with the right secret. */
                since_last_success: number;
            };
            /** @description Null without an endpoint. */
            delivery: {
                /** @enum {unknown} */
                state: "off" | "flowing" | "failing" | "paused" | "held";
                delivered_sequence: number;
                last_sequence: number;
                /** @description Events that the endpoint has not accepted yet. */
                pending: number;
                /** @description Failed attempts in a row. */
                failures: number;
                failing_since: string | null;
                next_attempt_at: string | null;
                paused_at: string | null;
                pause_reason: ("gone" | "failing" | "operator") | null;
                /** @description Counted up to 1,000. */
                dead_events: number;
                last_error: string | null;
            } | null;
            /** @description The first reason for which events are held; null unless they are. */
            hold: {
                since: string;
                /** @enum {unknown} */
                reason: "users" | "memberships" | "roles" | "adoption";
                /** @description How many count. */
                removals: number;
                /** @description Of the first held event. */
                first_sequence: number;
                /** @description All reasons, by their first events. */
                reasons: {
                    since: string;
                    /** @enum {unknown} */
                    reason: "users" | "memberships" | "roles" | "adoption";
                    /** @description How many count. */
                    removals: number;
                    /** @description Of the first held event. */
                    first_sequence: number;
                }[];
            } | null;
            behaviors: {
                connection_tested: {
                    first_at: string;
                    last_at: string;
                } | null;
                user_created: {
                    first_at: string;
                    last_at: string;
                } | null;
                user_updated: {
                    first_at: string;
                    last_at: string;
                } | null;
                user_deactivated: {
                    first_at: string;
                    last_at: string;
                } | null;
                user_reactivated: {
                    first_at: string;
                    last_at: string;
                } | null;
                user_deleted: {
                    first_at: string;
                    last_at: string;
                } | null;
                group_pushed: {
                    first_at: string;
                    last_at: string;
                } | null;
                member_added: {
                    first_at: string;
                    last_at: string;
                } | null;
                member_removed: {
                    first_at: string;
                    last_at: string;
                } | null;
            };
        };
        ListedErasure: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce5a1 */
            erasure_id: string;
            /**
             * Format: date-time
             * @description When it was complete.
             */
            at: string;
            /** Format: date-time */
            started_at: string;
            tenant: string;
            product: string;
            by: {
                kind: string;
                id: string | null;
                name: string | null;
            };
            reason: string | null;
            places: components["schemas"]["ErasedPlaces"];
            /** @description A JWS that proves the erasure, without personal data. */
            receipt: string;
        };
        LoggedRequest: {
            /** @description The x-request-id of the response. */
            id: string;
            /**
             * Format: date-time
             * @description When it arrived.
             */
            at: string;
            method: string;
            /** @description Below the directory's SCIM address, with the query. */
            path: string;
            status: number;
            /** @description The scimType of the error. */
            scim_type: string | null;
            /** @description Why the request was refused. */
            detail: string | null;
            duration_ms: number;
            /** @description The User-Agent header. */
            user_agent: string | null;
            /** @description The address of the client. */
            address: string | null;
            resource: {
                /** @enum {unknown} */
                type: "User" | "Group";
                id: string | null;
            } | null;
            /** @description The userName, displayName or externalId that the request was about. */
            subject: string | null;
            /** @description Of the events that it caused: the first 1,000. */
            event_sequences: number[];
        };
        Login: {
            user: components["schemas"]["Admin"];
            /** @description A JWT, valid for an hour. */
            token: string;
            adminToken: {
                id: string;
                userId: string;
                tokenBcrypt: string;
                /** @description Only returned here. */
                token: string;
                /** @constant */
                disabled: false;
                /** Format: date-time */
                createdAt: string;
            };
        };
        LoginInput: {
            claims: {
                /**
                 * @description The root token, again.
                 * @example <ADMIN_ROOT_TOKEN>
                 */
                upstreamToken: string;
                /**
                 * @description The email address of the admin, case-insensitive.
                 * @example admin@acme.example
                 */
                email: string;
            };
        };
        /** @description What a product sees of the attributes and groups of its customers. */
        Mapping: {
            /**
             * @description Product, in the mapping of a directory: it is put on top of the mapping of its product.
             * @enum {unknown}
             */
            extends?: "product";
            /** @description An object with at most 100 attributes, each an object with from and transform. */
            attributes?: {
                [key: string]: components["schemas"]["AttributeMapping"];
            };
            roles?: components["schemas"]["RoleRules"];
        };
        MappingPreview: {
            /** @description The last version, as GET returns it. */
            version: number;
            /** @description All users; from here to warnings, only on the first page. */
            evaluated?: number;
            /** @description Users whose roles or attributes would change. */
            changed?: number;
            /**
             * @example {
             *       "admin": {
             *         "gain": 3,
             *         "lose": 1
             *       }
             *     }
             */
            roles?: {
                [key: string]: {
                    gain: number;
                    lose: number;
                };
            };
            /**
             * @description Users for whom each would change.
             * @example {
             *       "department": 12
             *     }
             */
            attributes?: {
                [key: string]: number;
            };
            warnings?: {
                /** @enum {unknown} */
                code: "group-missing" | "rule-for-nobody" | "rule-for-everybody" | "too-few-users" | "user-too-large";
                /** @description The id of the rule; the role of too-few-users; empty for user-too-large. */
                rule: string;
                message: string;
            }[];
            users: {
                directory_id: string;
                id: string;
                email: string;
                before: {
                    roles: string[];
                    attributes: {
                        [key: string]: string | number | boolean;
                    };
                };
                after: {
                    roles: string[];
                    attributes: {
                        [key: string]: string | number | boolean;
                    };
                };
                /** @description Of the roles that the user would gain. */
                because: components["schemas"]["RoleReason"][];
            }[];
        };
        MappingRun: {
            /** @enum {unknown} */
            state: "running" | "completed";
            /** @description Users so far. */
            evaluated: number;
            /** @description Users of the directory when the run began. */
            total: number;
            /** @description Users whose roles or attributes changed. */
            changed: number;
            /** Format: date-time */
            started_at: string;
            completed_at: string | null;
        };
        MappingState: {
            mapping: components["schemas"]["Mapping"] | null;
            /** @description Whether it is the mapping of the product. One that extends that is not: it is shown as it was put. */
            inherited: boolean;
            /**
             * @description The last version of the mapping of this directory or product itself, be it a removal; 0 before the first.
             * @example 3
             */
            version: number;
            /** @description The last run over the users of the directory. */
            run: components["schemas"]["MappingRun"] | null;
        };
        MappingVersion: {
            /** @example 3 */
            version: number;
            mapping: components["schemas"]["Mapping"] | null;
            /** Format: date-time */
            created_at: string;
            /** @description Who made it; see the audit trail. */
            created_by: string | null;
        };
        Member: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001 */
            user_id: string;
            user?: components["schemas"]["User"];
        };
        MemberSnapshot: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001 */
            id: string;
            /** @example Barbara */
            first_name: string;
            /** @example Jensen */
            last_name: string;
            /** @example bjensen@acme.example */
            email: string;
            active: boolean;
            /** @description The deleted user as which this one was recognized when it was created; absent if there is none. */
            returned_from?: {
                /**
                 * @description The id of the deleted user.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca000
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was deleted.
                 */
                deleted_at: string;
            };
            /**
             * @description Sorted; only in a directory with a mapping, as is attributes.
             * @example [
             *       "admin",
             *       "member"
             *     ]
             */
            roles?: string[];
            /**
             * @example {
             *       "department": "Sales"
             *     }
             */
            attributes?: {
                [key: string]: string | number | boolean;
            };
            raw?: components["schemas"]["RawUser"];
            /**
             * @description There is no `raw`, as the event would have more than 16 KB.
             * @constant
             */
            raw_omitted?: true;
            group: components["schemas"]["GroupOfMember"];
            /**
             * @description The id of the resync.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01
             */
            sync_id: string;
        };
        /** @description A resync reports a member of a group. */
        MemberSnapshotEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "member.snapshot";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["MemberSnapshot"];
        };
        NewApiKey: {
            id: string;
            name: string;
            prefix: string;
            scope: {
                tenant: string | null;
                product: string | null;
                readOnly: boolean;
            };
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            last_used_at: string | null;
            /** @description The key, only returned here. */
            key: string;
        };
        NewOAuthClient: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cc001 */
            client_id: string;
            /** @enum {unknown} */
            type: "secret" | "federated";
            name: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Null: never. */
            expires_at: string | null;
            last_used_at: string | null;
            /** @description Null for a client with a secret, up to jwks_url. */
            issuer: string | null;
            subject: string | null;
            audience: string | null;
            /** @description Null: by the discovery document of the issuer. */
            jwks_url: string | null;
            /**
             * @description Only here, and only for a client of the type secret.
             * @example rcs_mV0Zb2Xl4oYwT3rK9sPqJ7uHmV0Zb2Xl4oYwT3rK9sP
             */
            client_secret?: string;
        };
        OAuthClient: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cc001 */
            client_id: string;
            /** @enum {unknown} */
            type: "secret" | "federated";
            name: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Null: never. */
            expires_at: string | null;
            last_used_at: string | null;
            /** @description Null for a client with a secret, up to jwks_url. */
            issuer: string | null;
            subject: string | null;
            audience: string | null;
            /** @description Null: by the discovery document of the issuer. */
            jwks_url: string | null;
        };
        OAuthClientInput: {
            /**
             * @description Secret or federated.
             * @enum {unknown}
             */
            type: "secret" | "federated";
            /** @description Text of 1 to 200 characters, without control characters. */
            name?: string;
            /** @description How long the secret is valid, a whole number of days from 365 to 1095; 730 by default. Only for the type secret. */
            expires_in_days?: number;
            /** @description The https URL in the claim iss of the assertions. Only for the type federated; 1 to 500 characters without spaces. */
            issuer?: string;
            /** @description The claim sub of the assertions. Only for the type federated; 1 to 500 characters without spaces. */
            subject?: string;
            /** @description The claim aud of the assertions, with or without /.default at its end. Only for the type federated; 1 to 500 characters without spaces. */
            audience?: string;
            /** @description The https URL of the keys of the issuer; without it, its discovery document names them. Only for the type federated; 1 to 500 characters without spaces. */
            jwks_url?: string;
        };
        /** @description Something about a directory that the operator should know, in one of the forms that `type` names. */
        OperatorNotice: components["schemas"]["DirectoryDeliveryPausedNotice"] | components["schemas"]["DirectoryHeldNotice"] | components["schemas"]["DirectoryUnauthorizedNotice"] | components["schemas"]["DirectoryEventDeadNotice"] | components["schemas"]["DirectoryCredentialExpiringNotice"] | components["schemas"]["DeprovisionOverdueNotice"] | components["schemas"]["SyncFailedNotice"] | components["schemas"]["SyncHeldNotice"];
        Overview: {
            directories: {
                total: number;
                healthy: number;
                attention: number;
                failing: number;
                /** @description Directories whose events are held. */
                held: number;
                deactivated: number;
                /** @description Changes of directories that these counts do not know yet, as after an upgrade; 0 otherwise. Counted up to 10000. */
                unchecked: number;
            };
            /** @description Directories by their worst reason, the worst first. */
            reasons: {
                /** @enum {unknown} */
                code: "deactivated" | "never-connected" | "unauthorized" | "not-connected" | "connection-lost" | "sync-failed" | "sync-held" | "held" | "no-consumer" | "delivery-paused" | "delivery-failing" | "delivery-behind" | "dead-events" | "deprovisioning-overdue" | "credential-expiring" | "sync-not-scheduled";
                /** @enum {unknown} */
                state: "healthy" | "attention" | "failing";
                directories: number;
            }[];
            /** @description The 10 worst directories that are not healthy. */
            worst: components["schemas"]["ListedDirectoryHealth"][];
            overdue_deprovisionings: {
                count: number;
                /** @description Whether there may be more than were counted. */
                is_at_least: boolean;
            };
            volumes: {
                /**
                 * Format: date-time
                 * @description Nothing is known about the time before.
                 */
                counted_since: string;
                /** @description The last 60 minutes, the current one last; without those that ended before counting began. */
                minutes: {
                    /**
                     * Format: date-time
                     * @description When the period began (UTC).
                     */
                    at: string;
                    events: number;
                    /** @description Attempts to send events that failed. */
                    failed_deliveries: number;
                }[];
                /** @description The last 24 hours, the current one last; without those that ended before counting began. */
                hours: {
                    /**
                     * Format: date-time
                     * @description When the period began (UTC).
                     */
                    at: string;
                    events: number;
                    /** @description Attempts to send events that failed. */
                    failed_deliveries: number;
                }[];
                /** @description The last 30 days, the current one last; without those that ended before counting began. */
                days: {
                    /**
                     * Format: date-time
                     * @description When the period began (UTC).
                     */
                    at: string;
                    events: number;
                    /** @description Attempts to send events that failed. */
                    failed_deliveries: number;
                }[];
            };
        };
        PersonInput: {
            /** @description Text of 1 to 200 characters, without ":" and control characters. */
            tenant: string;
            /** @description Text of 1 to 200 characters, without ":" and control characters. */
            product: string;
            /** @description The id, userName, externalId or an e-mail address of a user who exists or was deleted; 1 to 512 characters, without control characters. */
            subject: string;
        };
        PersonalData: {
            subject: string;
            tenant: string;
            product: string;
            /** Format: date-time */
            exported_at: string;
            /** @description The users who are the person. */
            users: {
                id: string;
                directory_id: string;
                is_deleted: boolean;
            }[];
            /** @description Everything that is stored about the person, each with its `directory_id` and one more field that says what it is, such as `user`, `membership`, `event`, `delivery` or `request`. */
            records: ({
                directory_id?: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        PreviewMapping: {
            mapping: components["schemas"]["Mapping"];
        };
        ProcessReport: {
            directories: number;
            delivered: number;
            failed: number;
            remaining: number;
        };
        /**
         * @description The label of every provider type.
         * @example {
         *       "okta-scim-v2": "Okta SCIM v2.0",
         *       "azure-scim-v2": "Entra ID SCIM v2.0",
         *       "onelogin-scim-v2": "OneLogin SCIM v2.0",
         *       "jumpcloud-scim-v2": "JumpCloud SCIM v2.0",
         *       "pingone-scim-v2": "PingOne SCIM v2.0",
         *       "pingfederate-scim-v2": "PingFederate SCIM v2.0",
         *       "rippling-scim-v2": "Rippling SCIM v2.0",
         *       "cyberark-scim-v2": "CyberArk SCIM v2.0",
         *       "sailpoint-scim-v2": "SailPoint SCIM v2.0",
         *       "generic-scim-v2": "SCIM Generic v2.0",
         *       "extdir": "Google Workspace"
         *     }
         */
        Providers: {
            [key: string]: string;
        };
        PutMapping: {
            mapping: components["schemas"]["Mapping"];
            /** @description The version that it replaces, as GET returns it; refused with 409 if there is a later one. */
            version?: number;
        };
        /**
         * @description The whole SCIM resource. Only the group that is read by its id has its members here.
         * @example {
         *       "schemas": [
         *         "urn:ietf:params:scim:schemas:core:2.0:Group"
         *       ],
         *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
         *       "displayName": "Engineering"
         *     }
         */
        RawGroup: {
            schemas: string[];
            id: string;
            externalId?: string;
            displayName?: string;
            members?: ({
                value?: string;
                display?: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The whole SCIM resource, with extension schemas and attributes of the identity provider.
         * @example {
         *       "schemas": [
         *         "urn:ietf:params:scim:schemas:core:2.0:User"
         *       ],
         *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
         *       "userName": "bjensen@acme.example",
         *       "name": {
         *         "givenName": "Barbara",
         *         "familyName": "Jensen"
         *       },
         *       "active": true
         *     }
         */
        RawUser: {
            schemas: string[];
            id: string;
            externalId?: string;
            userName?: string;
            displayName?: string;
            nickName?: string;
            profileUrl?: string;
            title?: string;
            userType?: string;
            preferredLanguage?: string;
            locale?: string;
            timezone?: string;
            name?: {
                formatted?: string;
                familyName?: string;
                givenName?: string;
                middleName?: string;
                honorificPrefix?: string;
                honorificSuffix?: string;
            } & {
                [key: string]: unknown;
            };
            active?: boolean;
            emails?: ({
                value?: string;
                display?: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            phoneNumbers?: ({
                value?: string;
                display?: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            ims?: ({
                value?: string;
                display?: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            photos?: ({
                value?: string;
                display?: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            entitlements?: ({
                value?: string;
                display?: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            roles?: ({
                value?: string;
                display?: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            x509Certificates?: ({
                value?: string;
                display?: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            addresses?: ({
                formatted?: string;
                streetAddress?: string;
                locality?: string;
                region?: string;
                postalCode?: string;
                country?: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            groups?: ({
                value?: string;
                display?: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"?: {
                employeeNumber?: string;
                costCenter?: string;
                organization?: string;
                division?: string;
                department?: string;
                manager?: {
                    value?: string;
                    displayName?: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        Readiness: {
            /** @enum {unknown} */
            status: "ready" | "unavailable";
            reason?: string;
        };
        RefusedRequest: {
            directory_id: string;
            /** @description The name of the directory. */
            name: string;
            tenant: string;
            product: string;
            /** @description The x-request-id of the response. */
            id: string;
            /**
             * Format: date-time
             * @description When it arrived.
             */
            at: string;
            method: string;
            /** @description Below the directory's SCIM address, with the query. */
            path: string;
            status: number;
            /** @description The scimType of the error. */
            scim_type: string | null;
            /** @description Why the request was refused. */
            detail: string | null;
            duration_ms: number;
            /** @description The User-Agent header. */
            user_agent: string | null;
            /** @description The address of the client. */
            address: string | null;
            resource: {
                /** @enum {unknown} */
                type: "User" | "Group";
                id: string | null;
            } | null;
            /** @description The userName, displayName or externalId that the request was about. */
            subject: string | null;
            /** @description Of the events that it caused: the first 1,000. */
            event_sequences: number[];
        };
        RemovedUser: {
            id: string;
            email: string;
            removed_at: string;
            returned_at: string | null;
        };
        ReplayInput: {
            /** @description The sequence of the event to send again, a whole number from 1. */
            sequence?: number;
            /** @description The sequence of the first event to send again, a whole number from 1. */
            from_sequence?: number;
            /** @description A time such as 2026-11-20T08:00:00Z; sends all events since then again. */
            since?: string;
        };
        ReplaySeveralInput: {
            /** @description The ids of 1 to 100 directories. */
            directory_ids?: string[];
            /**
             * @description Text of 1 to 200 characters, without ":" and control characters.
             * @example acme
             */
            tenant?: string;
            /**
             * @description Text of 1 to 200 characters, without ":" and control characters.
             * @example crm
             */
            product?: string;
            /** @description The pageToken of the previous page. */
            pageToken?: string;
            /** @description A time such as 2026-11-20T08:00:00Z; sends all events since then again. */
            since: string;
        };
        ResealedSecrets: {
            /** @description The number of secrets encrypted again; those of a directory count as one. */
            resealed: number;
        };
        /** @description The SCIM resource; of a membership, only the member. */
        ResourceChange: {
            resource: {
                /** @enum {unknown} */
                type: "User" | "Group";
                id: string;
            };
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
        };
        ResumeSeveralInput: {
            /** @description The ids of 1 to 100 directories. */
            directory_ids?: string[];
            /**
             * @description Text of 1 to 200 characters, without ":" and control characters.
             * @example acme
             */
            tenant?: string;
            /**
             * @description Text of 1 to 200 characters, without ":" and control characters.
             * @example crm
             */
            product?: string;
            /** @description The pageToken of the previous page. */
            pageToken?: string;
        };
        Resync: {
            /** @description In `data` of every event of this resync. */
            sync_id: string;
            state: "running" | "completed";
            /** @description Sent so far. */
            users: number;
            groups: number;
            members: number;
            started_at: string;
            completed_at: string | null;
        };
        RoleReason: {
            /** @example admin */
            role: string;
            /** @description The id of the rule; null: it is a default role. */
            rule: string | null;
            group?: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001 */
                id: string;
                /** @example Engineering */
                name: string;
            };
            /** @example userType eq "Employee" */
            filter?: string;
        };
        RoleRule: {
            /** @description Text of 1 to 100 characters, without control characters. */
            id?: string;
            /** @description Text of 1 to 100 characters, without control characters. */
            role?: string;
            /** @description Text of 1 to 100 characters, without control characters. */
            deny?: string;
            /** @description An object with group (an id), group_name or filter; all that are given must hold. */
            when: {
                /** @description Text of 1 to 200 characters, without control characters. */
                group?: string;
                /** @description Text of 1 to 1000 characters, without control characters. */
                group_name?: string;
                /** @description A SCIM filter on the user. */
                filter?: string;
            };
        };
        RoleRules: {
            /**
             * @description All gives every role whose rule holds, first only that of the first such rule.
             * @default all
             * @enum {unknown}
             */
            mode: "all" | "first";
            /** @description An array of the roles of active users who have no other role. */
            default?: string[];
            /** @description An object with a whole number from 1 to 1000000 for each role; a change that leaves fewer users with the role is held. */
            keep_at_least?: {
                [key: string]: number;
            };
            /** @description An array of at most 1000 objects with role or deny, and when. */
            rules?: components["schemas"]["RoleRule"][];
        };
        RotateSecretInput: {
            /** @description How long the old secret keeps working, a whole number of seconds from 0 to 2592000. */
            grace_seconds?: number;
        };
        RotateWebhookSecretInput: {
            /** @description How long events are also signed with the old secret, a whole number of seconds from 0 to 2592000. */
            grace_seconds?: number;
            /** @description Text of at most 200 characters; if omitted, a "whsec_…" secret is generated. */
            webhook_secret?: string;
        };
        SearchHit: {
            /** @enum {unknown} */
            type: "user" | "group" | "directory";
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001 */
            id: string;
            /**
             * @description Of a user: the given and family name, or else the displayName, or else the email.
             * @example Barbara Jensen
             */
            name: string;
            email: string | null;
            user_name: string | null;
            /** @description Null unless it is a user. */
            active: boolean | null;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /** @example scim-acme-crm */
            directory_name: string;
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
        };
        SeenAttribute: {
            /** @example title */
            path: string;
            /** @description How many users have it. */
            users: number;
            /** @description At most three values. */
            examples: string[];
        };
        Setup: {
            name: string | null;
            product: string;
            /** Format: date-time */
            expires_at: string;
            portal: {
                name: string | null;
                logo_url: string | null;
                color: string | null;
                /** @description The catalogs that list the product. */
                listed_in: string[];
            };
            types: {
                /** @enum {unknown} */
                type: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
                label: string;
            }[];
            /** @description The roles that the holder of the link may give to groups. */
            roles: string[];
            directory: {
                /** @enum {unknown} */
                type: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
                label: string;
                deactivated: boolean;
                scim_endpoint: string | null;
                secret_ending: string | null;
                oauth: {
                    token_endpoint: string;
                    /** @description Whether the SCIM secret is refused. */
                    is_required: boolean;
                    clients: {
                        client_id: string;
                        /** @enum {unknown} */
                        type: "secret" | "federated";
                        /** Format: date-time */
                        created_at: string;
                        expires_at: string | null;
                        last_used_at: string | null;
                    }[];
                } | null;
                google: {
                    /** @enum {unknown} */
                    status: "none" | "authorized" | "needs_authorization";
                    can_connect: boolean;
                    error: string | null;
                    domain: string | null;
                    pending_reason: string | null;
                    /** @description Whether syncs repeat without anybody who starts them. */
                    is_scheduled: boolean;
                } | null;
            } | null;
        };
        SetupAuthorizationUrl: {
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        SetupGroup: {
            id: string;
            name: string;
            /** @description The number of its direct members. */
            members: number;
            /** @description The role that the customer gave it. */
            role: string | null;
            /** @description False if the role is none of the setup link, or the product has changed the rule. */
            can_change: boolean;
        };
        SetupHealth: {
            /** @enum {unknown} */
            state: "waiting" | "healthy" | "attention" | "failing";
            last_request_at: string | null;
            signed_in_at: string | null;
            failed_authentications: {
                since_last_success: number;
                last_at: string | null;
                last_problem: string | null;
            };
            behaviors: {
                [key: string]: {
                    first_at: string;
                    last_at: string;
                } | null;
            };
            last_refused: {
                /** Format: date-time */
                at: string;
                method: string;
                subject: string | null;
                status: number;
                scim_type: string | null;
                detail: string | null;
            } | null;
            last_sync: {
                /** Format: date-time */
                at: string;
                has_failed: boolean;
            } | null;
        };
        SetupLink: {
            setupID: string;
            tenant: string;
            product: string;
            /** @constant */
            service: "dsync";
            name: string | null;
            /** @description When the link stops working, in Unix milliseconds. */
            validTill: number;
            /** @description Where the administrator goes; empty except in the response that creates the link. */
            url: string;
            directoryId: string | null;
            webhook_url: string | null;
            types: ("okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir")[] | null;
            /** @description The roles that the customer may give to groups; null: none. */
            roles: string[] | null;
            /**
             * @description Whether it was opened or used; an expired or revoked link does not work.
             * @enum {unknown}
             */
            state: "new" | "opened" | "used" | "expired" | "revoked";
            /** Format: date-time */
            created_at: string;
            opened_at: string | null;
            used_at: string | null;
        };
        SetupRolePreview: {
            roles: {
                /** @example admin */
                role: string;
                gain: {
                    count: number;
                    /** @description At most three email addresses. */
                    examples: string[];
                };
                lose: {
                    count: number;
                    /** @description At most three email addresses. */
                    examples: string[];
                };
                /** @description Whether fewer would be left than must keep the role: the directory is then held. */
                too_few: boolean;
            }[];
        };
        SetupRolesRun: {
            /** @description The last run; null before the first. */
            run: components["schemas"]["MappingRun"] | null;
        };
        SetupWithOAuthClient: {
            name: string | null;
            product: string;
            /** Format: date-time */
            expires_at: string;
            portal: {
                name: string | null;
                logo_url: string | null;
                color: string | null;
                /** @description The catalogs that list the product. */
                listed_in: string[];
            };
            types: {
                /** @enum {unknown} */
                type: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
                label: string;
            }[];
            /** @description The roles that the holder of the link may give to groups. */
            roles: string[];
            directory: {
                /** @enum {unknown} */
                type: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
                label: string;
                deactivated: boolean;
                scim_endpoint: string | null;
                secret_ending: string | null;
                oauth: {
                    token_endpoint: string;
                    /** @description Whether the SCIM secret is refused. */
                    is_required: boolean;
                    clients: {
                        client_id: string;
                        /** @enum {unknown} */
                        type: "secret" | "federated";
                        /** Format: date-time */
                        created_at: string;
                        expires_at: string | null;
                        last_used_at: string | null;
                    }[];
                } | null;
                google: {
                    /** @enum {unknown} */
                    status: "none" | "authorized" | "needs_authorization";
                    can_connect: boolean;
                    error: string | null;
                    domain: string | null;
                    pending_reason: string | null;
                    /** @description Whether syncs repeat without anybody who starts them. */
                    is_scheduled: boolean;
                } | null;
            } | null;
            created: {
                client_id: string;
                /** @description Null for a federated client. */
                client_secret: string | null;
            };
        };
        SetupWithSecret: {
            name: string | null;
            product: string;
            /** Format: date-time */
            expires_at: string;
            portal: {
                name: string | null;
                logo_url: string | null;
                color: string | null;
                /** @description The catalogs that list the product. */
                listed_in: string[];
            };
            types: {
                /** @enum {unknown} */
                type: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
                label: string;
            }[];
            /** @description The roles that the holder of the link may give to groups. */
            roles: string[];
            directory: {
                /** @enum {unknown} */
                type: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
                label: string;
                deactivated: boolean;
                scim_endpoint: string | null;
                secret_ending: string | null;
                oauth: {
                    token_endpoint: string;
                    /** @description Whether the SCIM secret is refused. */
                    is_required: boolean;
                    clients: {
                        client_id: string;
                        /** @enum {unknown} */
                        type: "secret" | "federated";
                        /** Format: date-time */
                        created_at: string;
                        expires_at: string | null;
                        last_used_at: string | null;
                    }[];
                } | null;
                google: {
                    /** @enum {unknown} */
                    status: "none" | "authorized" | "needs_authorization";
                    can_connect: boolean;
                    error: string | null;
                    domain: string | null;
                    pending_reason: string | null;
                    /** @description Whether syncs repeat without anybody who starts them. */
                    is_scheduled: boolean;
                } | null;
            } | null;
            secret: string | null;
        };
        SkipInput: {
            /** @description Why the event is skipped, for the audit trail; text of 1 to 500 characters, without control characters. */
            reason: string;
        };
        StartedResync: {
            /** @description In `data` of every event of this resync. */
            sync_id: string;
            /** @constant */
            state: "running";
        };
        StartedSyncs: {
            runs: components["schemas"]["SyncRun"][];
            skipped: {
                directory_id: string;
                reason: string;
            }[];
        };
        StoredEvents: {
            data: (components["schemas"]["Event"] | components["schemas"]["ErasedEvent"])[];
            /** @description The token of the next page; absent on the last one. */
            pageToken?: string;
            /** @description The cursor after the newest event; send it as `after` to follow new events. */
            next: string;
            /** @description Further events are held and not listed; absent when there are none. */
            held?: {
                directory_id: string;
                /** Format: date-time */
                since: string;
            };
            error: null;
        };
        SyncCompleted: {
            /**
             * @description The id of the resync.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01
             */
            sync_id: string;
            users: number;
            groups: number;
            members: number;
        };
        /** @description A resync is complete: what it has not reported no longer exists. */
        SyncCompletedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "sync.completed";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["SyncCompleted"];
        };
        /** @description A sync with Google failed. */
        SyncFailedNotice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sync.failed";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
                directory_id: string;
                /** @example scim-acme-crm */
                directory_name: string;
                /** @example acme */
                tenant: string;
                /** @example crm */
                product: string;
                /**
                 * @description What happened and what to do.
                 * @example Delivery is paused.
                 */
                message: string;
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3c5001 */
                run_id: string;
                /** @description The error of the run. */
                reason: string | null;
            };
        };
        /** @description A sync with Google holds deletions that need an approval. */
        SyncHeldNotice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sync.held";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
                directory_id: string;
                /** @example scim-acme-crm */
                directory_name: string;
                /** @example acme */
                tenant: string;
                /** @example crm */
                product: string;
                /**
                 * @description What happened and what to do.
                 * @example Delivery is paused.
                 */
                message: string;
                /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3c5001 */
                run_id: string;
                /** @description The error of the run. */
                reason: string | null;
                /** @example 120 */
                held: number;
            };
        };
        SyncRun: {
            /** @description Also the request id of the events of this run. */
            id: string;
            directory_id: string;
            /** @enum {unknown} */
            state: "running" | "completed" | "held" | "failed" | "superseded";
            /** @enum {unknown} */
            phase: "waiting" | "users" | "groups" | "members" | "managers" | "deletions" | "done";
            /** @enum {unknown} */
            trigger: "api" | "cron" | "interval" | "library" | "consent";
            /** Format: date-time */
            started_at: string;
            finished_at: string | null;
            /** @description Requests sent to Google, including retries. */
            requests: number;
            pages: number;
            /** @description Users and groups. */
            created: number;
            updated: number;
            deleted: number;
            /** @description Deletions that wait for approval. */
            held: number;
            /** @description Entries that could not be imported. */
            skipped: number;
            members_added: number;
            members_removed: number;
            /** @description Why the run failed, or what it skipped. */
            error: string | null;
        };
        SyncStarted: {
            /**
             * @description The id of the resync.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01
             */
            sync_id: string;
            users: number;
            groups: number;
            members: number;
        };
        /** @description A resync starts; the numbers of what is to come are approximate. */
        SyncStartedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "sync.started";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["SyncStarted"];
        };
        TestDelivery: {
            delivered: boolean;
            status_code: number | null;
            latency_ms: number;
            error: string | null;
        };
        TestMessage: {
            message: string;
        };
        /** @description A request of the log, a change (resource, before, after), an event as in the feed, or an attempt to deliver it. */
        TimelineEntry: {
            /** @enum {unknown} */
            kind: "request" | "change" | "event" | "delivery";
            /** Format: date-time */
            at: string;
        } & {
            [key: string]: unknown;
        };
        TokenError: {
            /** @enum {unknown} */
            error: "invalid_request" | "invalid_client" | "unauthorized_client" | "unsupported_grant_type" | "server_error" | "temporarily_unavailable";
            /** @description What is wrong, and how to fix it. */
            error_description: string;
        };
        TokenRequest: {
            /** @constant */
            grant_type: "client_credentials";
            client_id?: string;
            client_secret?: string;
            /** @constant */
            client_assertion_type?: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
            client_assertion?: string;
            /** @description Ignored: every token has the scope scim. */
            scope?: string;
        };
        Trace: {
            request: components["schemas"]["TracedRequest"] | null;
            changes: components["schemas"]["ResourceChange"][];
            events: ({
                deliveries: components["schemas"]["DeliveryAttempt"][];
            } & {
                [key: string]: unknown;
            })[];
        };
        TracedRequest: {
            /** @description The x-request-id of the response. */
            id: string;
            /**
             * Format: date-time
             * @description When it arrived.
             */
            at: string;
            method: string;
            /** @description Below the directory's SCIM address, with the query. */
            path: string;
            status: number;
            /** @description The scimType of the error. */
            scim_type: string | null;
            /** @description Why the request was refused. */
            detail: string | null;
            duration_ms: number;
            /** @description The User-Agent header. */
            user_agent: string | null;
            /** @description The address of the client. */
            address: string | null;
            resource: {
                /** @enum {unknown} */
                type: "User" | "Group";
                id: string | null;
            } | null;
            /** @description The userName, displayName or externalId that the request was about. */
            subject: string | null;
            /** @description Of the events that it caused: the first 1,000. */
            event_sequences: number[];
            /** @description Without passwords; kept for refused requests, and for all while log_scim_requests is on. */
            body: unknown;
            body_omitted: ("too-large" | "unparseable") | null;
        };
        UpdateDirectoryInput: {
            /** @description Text of 1 to 200 characters, without control characters. */
            name?: string;
            /** @description An http or https URL without credentials, at most 2000 characters; "" or null removes it. */
            webhook_url?: string | null;
            /** @description Text of at most 200 characters; if omitted, a "whsec_…" secret is generated. */
            webhook_secret?: string;
            /** @description True or false. */
            log_webhook_events?: boolean | "true" | "false";
            /** @description True or false. */
            log_scim_requests?: boolean | "true" | "false";
            /** @description True or false. */
            unique_group_names?: boolean | "true" | "false";
            /**
             * @description Any, or oauth to refuse the SCIM secret, so that SCIM requests need an access token of an OAuth client.
             * @enum {unknown}
             */
            scim_auth?: "any" | "oauth";
            /** @description True or false. */
            deactivated?: boolean | "true" | "false";
            /** @description An object with percent (a whole number from 0 to 100), minimum (0 to 1000000) and window_seconds (1 to 604800), each optional; null turns the limit off. */
            removal_limit?: {
                percent?: number;
                minimum?: number;
                window_seconds?: number;
            } | null;
            /** @description A domain like example.com (international names as xn--…); "" or null for the whole account. */
            extdir_domain?: string | null;
            /** @description Text of at most 4000 characters; null removes it. */
            extdir_access_token?: string | null;
            /** @description Text of at most 4000 characters; null removes it. */
            extdir_refresh_token?: string | null;
            /** @description The JSON of its key file, at most 8192 characters; "" or null removes it. It is never returned. */
            extdir_service_account?: Record<string, never> | string | null;
            /** @description The email address of the administrator that the service account acts as; "" or null removes it. */
            extdir_subject?: string | null;
        };
        User: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001 */
            id: string;
            /** @example Barbara */
            first_name: string;
            /** @example Jensen */
            last_name: string;
            /** @example bjensen@acme.example */
            email: string;
            active: boolean;
            /** @description The deleted user as which this one was recognized when it was created; absent if there is none. */
            returned_from?: {
                /**
                 * @description The id of the deleted user.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca000
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was deleted.
                 */
                deleted_at: string;
            };
            /**
             * @description Sorted; only in a directory with a mapping, as is attributes.
             * @example [
             *       "admin",
             *       "member"
             *     ]
             */
            roles?: string[];
            /**
             * @example {
             *       "department": "Sales"
             *     }
             */
            attributes?: {
                [key: string]: string | number | boolean;
            };
            raw: components["schemas"]["RawUser"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-14T17:05:21.250Z
             */
            updated_at: string;
            /**
             * @description The tenant of its directory; only if `product` alone is the scope.
             * @example acme
             */
            tenant?: string;
            /**
             * @description Its directory.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
             */
            directory_id: string;
        };
        /** @description A user was created. */
        UserCreatedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "user.created";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["EventUser"];
        };
        /** @description A user was deleted, which also removed it from its groups. */
        UserDeletedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "user.deleted";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["EventUser"];
        };
        /** @description A person was erased: erase it, too. No further event is about the person. */
        UserErasedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "user.erased";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["ErasedUser"];
        };
        /** @description A user with one of its groups. */
        UserInGroup: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001 */
            id: string;
            /** @example Barbara */
            first_name: string;
            /** @example Jensen */
            last_name: string;
            /** @example bjensen@acme.example */
            email: string;
            active: boolean;
            /** @description The deleted user as which this one was recognized when it was created; absent if there is none. */
            returned_from?: {
                /**
                 * @description The id of the deleted user.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca000
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was deleted.
                 */
                deleted_at: string;
            };
            /**
             * @description Sorted; only in a directory with a mapping, as is attributes.
             * @example [
             *       "admin",
             *       "member"
             *     ]
             */
            roles?: string[];
            /**
             * @example {
             *       "department": "Sales"
             *     }
             */
            attributes?: {
                [key: string]: string | number | boolean;
            };
            raw?: components["schemas"]["RawUser"];
            /**
             * @description There is no `raw`, as the event would have more than 16 KB.
             * @constant
             */
            raw_omitted?: true;
            group: components["schemas"]["GroupOfMember"];
        };
        UserRoles: {
            roles: {
                /** @example admin */
                role: string;
                because: {
                    /** @description The id of the rule; null: it is a default role. */
                    rule: string | null;
                    group?: {
                        /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001 */
                        id: string;
                        /** @example Engineering */
                        name: string;
                    };
                    /** @example userType eq "Employee" */
                    filter?: string;
                }[];
            }[];
            denied: {
                /** @example admin */
                role: string;
                because: {
                    /** @description The id of the rule; null: it is a default role. */
                    rule: string | null;
                    group?: {
                        /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001 */
                        id: string;
                        /** @example Engineering */
                        name: string;
                    };
                    /** @example userType eq "Employee" */
                    filter?: string;
                }[];
            }[];
        };
        UserSnapshot: {
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001 */
            id: string;
            /** @example Barbara */
            first_name: string;
            /** @example Jensen */
            last_name: string;
            /** @example bjensen@acme.example */
            email: string;
            active: boolean;
            /** @description The deleted user as which this one was recognized when it was created; absent if there is none. */
            returned_from?: {
                /**
                 * @description The id of the deleted user.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca000
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was deleted.
                 */
                deleted_at: string;
            };
            /**
             * @description Sorted; only in a directory with a mapping, as is attributes.
             * @example [
             *       "admin",
             *       "member"
             *     ]
             */
            roles?: string[];
            /**
             * @example {
             *       "department": "Sales"
             *     }
             */
            attributes?: {
                [key: string]: string | number | boolean;
            };
            raw: components["schemas"]["RawUser"];
            /**
             * @description The id of the resync.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01
             */
            sync_id: string;
        };
        /** @description A resync reports a user. */
        UserSnapshotEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "user.snapshot";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["UserSnapshot"];
        };
        /** @description A user changed, including deactivation. */
        UserUpdatedEvent: {
            /**
             * @description The same in every delivery.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
             */
            id: string;
            /**
             * @description 1, 2, 3 … per directory, without gaps.
             * @example 7
             */
            sequence: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "user.updated";
            /** @example acme */
            tenant: string;
            /** @example crm */
            product: string;
            /** @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101 */
            directory_id: string;
            /**
             * @description The x-request-id of the request, or the id of the sync run, that caused the event.
             * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001
             */
            request_id: string;
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["EventUser"];
            changes: components["schemas"]["Changes"];
        };
    };
    responses: {
        /** @description The input is invalid; the message names every invalid field. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "The input is invalid; the message names every invalid field.",
                 *         "code": 400,
                 *         "reason": "invalid-input",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credentials are missing or invalid. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "The credentials are missing or invalid.",
                 *         "code": 401,
                 *         "reason": "unauthorized",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credentials do not allow this. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "The credentials do not allow this.",
                 *         "code": 403,
                 *         "reason": "forbidden",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It does not exist, or is outside the scope of the credentials. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "It does not exist, or is outside the scope of the credentials.",
                 *         "code": 404,
                 *         "reason": "resource-not-found",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It conflicts with the current state. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "It conflicts with the current state.",
                 *         "code": 409,
                 *         "reason": "invalid-input",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It has expired or was revoked. */
        Gone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "It has expired or was revoked.",
                 *         "code": 410,
                 *         "reason": "invalid-input",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large. */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "The body is too large.",
                 *         "code": 413,
                 *         "reason": "content-too-large",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "The body is not JSON.",
                 *         "code": 415,
                 *         "reason": "unsupported-media-type",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests, or too many failed attempts: try again after `Retry-After`. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "Too many requests, or too many failed attempts: try again after `Retry-After`.",
                 *         "code": 429,
                 *         "reason": "invalid-input",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error of the service, which is in its log. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "An error of the service, which is in its log.",
                 *         "code": 500,
                 *         "reason": "internal-error",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It is not supported, or not configured. */
        NotImplemented: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "It is not supported, or not configured.",
                 *         "code": 501,
                 *         "reason": "not-configured",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database is not available, or the service is busy: try again after `Retry-After`. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": null,
                 *       "error": {
                 *         "message": "The database is not available, or the service is busy: try again after `Retry-After`.",
                 *         "code": 503,
                 *         "reason": "unavailable",
                 *         "request_id": "5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description The id of the event, the same in every attempt.
         * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
         */
        WebhookId: string;
        /**
         * @description The time of the attempt, in Unix seconds.
         * @example 1772443800
         */
        WebhookTimestamp: string;
        /**
         * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        WebhookSignature: string;
        /**
         * @description The directory.
         * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
         */
        DirectoryId: string;
        /**
         * @description The tenant of the directory, percent-encoded.
         * @example acme
         */
        DirectoryTenant: string;
        /**
         * @description The product of the directory, percent-encoded.
         * @example crm
         */
        DirectoryProduct: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Seconds until the next attempt.
         * @example 5
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getReceiptKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "OKP",
                     *           "crv": "Ed25519",
                     *           "x": "text",
                     *           "kid": "text",
                     *           "use": "sig",
                     *           "alg": "EdDSA"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
        };
    };
    getAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "text",
                     *       "token_endpoint": "text",
                     *       "grant_types_supported": [
                     *         "text"
                     *       ],
                     *       "response_types_supported": [
                     *         "text"
                     *       ],
                     *       "scopes_supported": [
                     *         "text"
                     *       ],
                     *       "token_endpoint_auth_methods_supported": [
                     *         "text"
                     *       ],
                     *       "token_endpoint_auth_signing_alg_values_supported": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
        };
    };
    listDirectories: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "name": "scim-acme-crm",
                     *           "tenant": "acme",
                     *           "product": "crm",
                     *           "type": "okta-scim-v2",
                     *           "log_webhook_events": false,
                     *           "log_scim_requests": false,
                     *           "unique_group_names": false,
                     *           "scim_auth": "any",
                     *           "deactivated": false,
                     *           "removal_limit": {
                     *             "percent": 30,
                     *             "minimum": 20,
                     *             "window_seconds": 3600
                     *           },
                     *           "scim": {
                     *             "path": "/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *             "secret": "mV0Zb2Xl4oYwT3rK9sPqJ7uH",
                     *             "endpoint": "https://rollcall.example/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *           },
                     *           "webhook": {
                     *             "endpoint": "https://crm.example/hooks/rollcall",
                     *             "secret": "whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r"
                     *           }
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Directory"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDirectory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "type": "okta-scim-v2"
                 *     }
                 */
                "application/json": components["schemas"]["CreateDirectoryInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *         "name": "scim-acme-crm",
                     *         "tenant": "acme",
                     *         "product": "crm",
                     *         "type": "okta-scim-v2",
                     *         "log_webhook_events": false,
                     *         "log_scim_requests": false,
                     *         "unique_group_names": false,
                     *         "scim_auth": "any",
                     *         "deactivated": false,
                     *         "removal_limit": {
                     *           "percent": 30,
                     *           "minimum": 20,
                     *           "window_seconds": 3600
                     *         },
                     *         "scim": {
                     *           "path": "/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "secret": "mV0Zb2Xl4oYwT3rK9sPqJ7uH",
                     *           "endpoint": "https://rollcall.example/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *         },
                     *         "webhook": {
                     *           "endpoint": "https://crm.example/hooks/rollcall",
                     *           "secret": "whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Directory"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    processEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "directories": 1,
                     *         "delivered": 1,
                     *         "failed": 1,
                     *         "remaining": 1
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ProcessReport"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startAllSyncs: {
        parameters: {
            query?: {
                /** @description True to respond when the sync has ended, or false. */
                wait?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "runs": [
                     *           {
                     *             "id": "text",
                     *             "directory_id": "text",
                     *             "state": "running",
                     *             "phase": "waiting",
                     *             "trigger": "api",
                     *             "started_at": "2026-03-02T09:30:00.000Z",
                     *             "finished_at": "2026-03-02T09:30:00.000Z",
                     *             "requests": 1,
                     *             "pages": 1,
                     *             "created": 1,
                     *             "updated": 1,
                     *             "deleted": 1,
                     *             "held": 1,
                     *             "skipped": 1,
                     *             "members_added": 1,
                     *             "members_removed": 1,
                     *             "error": "text"
                     *           }
                     *         ],
                     *         "skipped": [
                     *           {
                     *             "directory_id": "text",
                     *             "reason": "text"
                     *           }
                     *         ]
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["StartedSyncs"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllDeadEvents: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "directory_id": "text",
                     *           "name": "text",
                     *           "tenant": "text",
                     *           "product": "text",
                     *           "sequence": 1,
                     *           "event_id": "text",
                     *           "event": "user.created",
                     *           "request_id": "text",
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "resource": {
                     *             "type": "User",
                     *             "id": "text"
                     *           },
                     *           "died_at": "2026-03-02T09:30:00.000Z",
                     *           "reason": "text",
                     *           "skipped": true
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ListedDeadEvent"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "product": "crm",
                 *       "since": "2026-11-20T08:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ReplaySeveralInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "directory_id": "text",
                     *           "status": {
                     *             "state": "off",
                     *             "delivered_sequence": 1,
                     *             "last_sequence": 1,
                     *             "undelivered": 1,
                     *             "failures": 1,
                     *             "failing_since": "text",
                     *             "next_attempt_at": "text",
                     *             "paused": {
                     *               "reason": "gone",
                     *               "at": "text"
                     *             },
                     *             "dead_events": 1
                     *           },
                     *           "error": {
                     *             "reason": "invalid-input",
                     *             "message": "text"
                     *           }
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryOfOne"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "product": "crm"
                 *     }
                 */
                "application/json": components["schemas"]["ResumeSeveralInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "directory_id": "text",
                     *           "status": {
                     *             "state": "off",
                     *             "delivered_sequence": 1,
                     *             "last_sequence": 1,
                     *             "undelivered": 1,
                     *             "failures": 1,
                     *             "failing_since": "text",
                     *             "next_attempt_at": "text",
                     *             "paused": {
                     *               "reason": "gone",
                     *               "at": "text"
                     *             },
                     *             "dead_events": 1
                     *           },
                     *           "error": {
                     *             "reason": "invalid-input",
                     *             "message": "text"
                     *           }
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryOfOne"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchDirectories: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
                /** @description The beginning of the name or tenant of directories, or the id of one, in any letter case; text of 1 to 200 characters. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "name": "scim-acme-crm",
                     *           "tenant": "acme",
                     *           "product": "crm",
                     *           "type": "okta-scim-v2",
                     *           "log_webhook_events": false,
                     *           "log_scim_requests": false,
                     *           "unique_group_names": false,
                     *           "scim_auth": "any",
                     *           "deactivated": false,
                     *           "removal_limit": {
                     *             "percent": 30,
                     *             "minimum": 20,
                     *             "window_seconds": 3600
                     *           },
                     *           "scim": {
                     *             "path": "/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *             "secret": "mV0Zb2Xl4oYwT3rK9sPqJ7uH",
                     *             "endpoint": "https://rollcall.example/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *           },
                     *           "webhook": {
                     *             "endpoint": "https://crm.example/hooks/rollcall",
                     *             "secret": "whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r"
                     *           }
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Directory"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "text",
                     *           "directory_id": "text",
                     *           "tenant": "text",
                     *           "sequence": 1,
                     *           "event_id": "text",
                     *           "event": "user.created",
                     *           "request_id": "text",
                     *           "event_count": 1,
                     *           "webhook_endpoint": "text",
                     *           "status_code": 1,
                     *           "latency_ms": 1,
                     *           "attempt": 1,
                     *           "error": "text",
                     *           "delivered": true,
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "payload": null,
                     *           "payload_truncated": true,
                     *           "response_body": "text"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDeliveries: {
        parameters: {
            query: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /**
                 * @description The id of the directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                directoryId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {},
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: Record<string, never>;
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "text",
                     *         "directory_id": "text",
                     *         "tenant": "text",
                     *         "sequence": 1,
                     *         "event_id": "text",
                     *         "event": "user.created",
                     *         "request_id": "text",
                     *         "event_count": 1,
                     *         "webhook_endpoint": "text",
                     *         "status_code": 1,
                     *         "latency_ms": 1,
                     *         "attempt": 1,
                     *         "error": "text",
                     *         "delivered": true,
                     *         "created_at": "2026-03-02T09:30:00.000Z",
                     *         "payload": null,
                     *         "payload_truncated": true,
                     *         "response_body": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    explainSubject: {
        parameters: {
            query: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /**
                 * @description An email address, userName, display name, external id or id of a user, or the displayName, external id or id of a group; text of 1 to 512 characters.
                 * @example maya@acme.example
                 */
                subject: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "verdict": "never-sent",
                     *         "at": "2026-03-02T09:30:00.000Z",
                     *         "sentence": "text",
                     *         "advice": "text",
                     *         "action": {
                     *           "kind": "resume-delivery",
                     *           "directory_id": "text"
                     *         },
                     *         "for_customer": "text",
                     *         "subject": {
                     *           "type": "User",
                     *           "id": "text",
                     *           "name": "text"
                     *         },
                     *         "directory": {
                     *           "id": "text",
                     *           "name": "text",
                     *           "tenant": "text",
                     *           "product": "text",
                     *           "type": "text"
                     *         },
                     *         "evidence": [
                     *           {
                     *             "kind": "request",
                     *             "at": "2026-03-02T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "candidates": [
                     *           {
                     *             "type": "User",
                     *             "id": "text",
                     *             "name": "text",
                     *             "directory": {
                     *               "id": "text",
                     *               "name": "text",
                     *               "tenant": "text",
                     *               "product": "text",
                     *               "type": "text"
                     *             },
                     *             "verdict": "never-sent",
                     *             "at": "2026-03-02T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "has_more_candidates": true,
                     *         "searched": {
                     *           "directories": 1,
                     *           "complete": true,
                     *           "requests_since": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Explanation"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readFeed: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description The cursor of the previous response, unchanged; with directoryId also the sequence and the id of the last event that you have, as sequence:id, or the sequence alone. Without it, the feed starts with the first event. */
                after?: string;
                /** @description The maximum number of events, a whole number from 1 to 1000. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                     *           "sequence": 7,
                     *           "event": "user.created",
                     *           "tenant": "acme",
                     *           "product": "crm",
                     *           "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "data": {
                     *             "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *             "first_name": "Barbara",
                     *             "last_name": "Jensen",
                     *             "email": "bjensen@acme.example",
                     *             "active": true,
                     *             "roles": [
                     *               "admin",
                     *               "member"
                     *             ],
                     *             "attributes": {
                     *               "department": "Sales"
                     *             },
                     *             "raw": {
                     *               "schemas": [
                     *                 "urn:ietf:params:scim:schemas:core:2.0:User"
                     *               ],
                     *               "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *               "userName": "bjensen@acme.example",
                     *               "name": {
                     *                 "givenName": "Barbara",
                     *                 "familyName": "Jensen"
                     *               },
                     *               "active": true
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "next": "AlJ0w5uxB6Cp3xq3zAtA1AE",
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["FeedPage"];
                    /**
                     * @example id: AlJ0w5uxB6Cp3xq3zAtA1AE
                     *     event: user.created
                     *     data: {}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
                /** @description The name of a group, compared as a whole and in any letter case; text of 1 to 1000 characters. */
                name?: string;
                /**
                 * @description A date and time of RFC 3339, such as 2026-01-31T09:30:00Z; a + in a URL is written as %2B. What has changed since then is listed.
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_since?: string;
                /** @description The beginning of any word of the name of groups, in any letter case; text of 1 to 200 characters. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                     *           "name": "Engineering",
                     *           "raw": {
                     *             "schemas": [
                     *               "urn:ietf:params:scim:schemas:core:2.0:Group"
                     *             ],
                     *             "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                     *             "displayName": "Engineering"
                     *           },
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "updated_at": "2026-02-14T17:05:21.250Z",
                     *           "tenant": "acme",
                     *           "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Group"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGroup: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description False returns an empty list instead of the members; or true. */
                members?: "true" | "false";
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                     *         "name": "Engineering",
                     *         "raw": {
                     *           "schemas": [
                     *             "urn:ietf:params:scim:schemas:core:2.0:Group"
                     *           ],
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                     *           "displayName": "Engineering"
                     *         },
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "updated_at": "2026-02-14T17:05:21.250Z",
                     *         "tenant": "acme",
                     *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *         "members": [
                     *           {
                     *             "group_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                     *             "user_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001"
                     *           }
                     *         ]
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["GroupWithMembers"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listGroupMembers: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
                /** @description User returns each user beside its id. */
                expand?: "user";
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "user_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDirectoryHealth: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
                /** @description The beginning of the name or tenant of directories, or the id of one, in any letter case; text of 1 to 200 characters. */
                search?: string;
                /** @description One of healthy, attention, failing. */
                state?: "healthy" | "attention" | "failing";
                /** @description One of okta-scim-v2, azure-scim-v2, onelogin-scim-v2, jumpcloud-scim-v2, pingone-scim-v2, pingfederate-scim-v2, rippling-scim-v2, cyberark-scim-v2, sailpoint-scim-v2, generic-scim-v2, extdir. */
                type?: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
                /** @description The worst reason, one of deactivated, never-connected, unauthorized, not-connected, connection-lost, sync-failed, sync-held, held, no-consumer, delivery-paused, delivery-failing, delivery-behind, dead-events, deprovisioning-overdue, credential-expiring, sync-not-scheduled. */
                reason?: "deactivated" | "never-connected" | "unauthorized" | "not-connected" | "connection-lost" | "sync-failed" | "sync-held" | "held" | "no-consumer" | "delivery-paused" | "delivery-failing" | "delivery-behind" | "dead-events" | "deprovisioning-overdue" | "credential-expiring" | "sync-not-scheduled";
                /** @description True or false. */
                held?: "true" | "false";
                /** @description True or false. */
                overdue?: "true" | "false";
                /** @description True or false. */
                deactivated?: "true" | "false";
                /** @description Created (the order of creation, the default), worst (the worst state first), name, or changed (the last event first, accurate to a minute). */
                sort?: "created" | "worst" | "name" | "changed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "directory_id": "text",
                     *           "name": "text",
                     *           "tenant": "text",
                     *           "product": "text",
                     *           "type": "okta-scim-v2",
                     *           "state": "healthy",
                     *           "reasons": [
                     *             {
                     *               "code": "deactivated",
                     *               "message": "text",
                     *               "since": "text"
                     *             }
                     *           ],
                     *           "last_request_at": "text",
                     *           "last_success_at": "text",
                     *           "last_change_at": "text",
                     *           "failed_authentications": {
                     *             "count": 1,
                     *             "last_at": "text",
                     *             "last_address": "text",
                     *             "last_problem": "text",
                     *             "since_last_success": 1
                     *           },
                     *           "delivery": {
                     *             "state": "off",
                     *             "delivered_sequence": 1,
                     *             "last_sequence": 1,
                     *             "pending": 1,
                     *             "failures": 1,
                     *             "failing_since": "text",
                     *             "next_attempt_at": "text",
                     *             "paused_at": "text",
                     *             "pause_reason": "gone",
                     *             "dead_events": 1,
                     *             "last_error": "text"
                     *           },
                     *           "hold": {
                     *             "since": "text",
                     *             "reason": "users",
                     *             "removals": 1,
                     *             "first_sequence": 1,
                     *             "reasons": [
                     *               {
                     *                 "since": "text",
                     *                 "reason": "users",
                     *                 "removals": 1,
                     *                 "first_sequence": 1
                     *               }
                     *             ]
                     *           },
                     *           "behaviors": {
                     *             "connection_tested": {
                     *               "first_at": "text",
                     *               "last_at": "text"
                     *             },
                     *             "user_created": {
                     *               "first_at": "text",
                     *               "last_at": "text"
                     *             },
                     *             "user_updated": {
                     *               "first_at": "text",
                     *               "last_at": "text"
                     *             },
                     *             "user_deactivated": {
                     *               "first_at": "text",
                     *               "last_at": "text"
                     *             },
                     *             "user_reactivated": {
                     *               "first_at": "text",
                     *               "last_at": "text"
                     *             },
                     *             "user_deleted": {
                     *               "first_at": "text",
                     *               "last_at": "text"
                     *             },
                     *             "group_pushed": {
                     *               "first_at": "text",
                     *               "last_at": "text"
                     *             },
                     *             "member_added": {
                     *               "first_at": "text",
                     *               "last_at": "text"
                     *             },
                     *             "member_removed": {
                     *               "first_at": "text",
                     *               "last_at": "text"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ListedDirectoryHealth"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProductMapping: {
        parameters: {
            query: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "mapping": {},
                     *         "inherited": true,
                     *         "version": 3,
                     *         "run": {
                     *           "state": "running",
                     *           "evaluated": 1,
                     *           "total": 1,
                     *           "changed": 1,
                     *           "started_at": "2026-03-02T09:30:00.000Z",
                     *           "completed_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MappingState"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceProductMapping: {
        parameters: {
            query: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mapping": {}
                 *     }
                 */
                "application/json": components["schemas"]["PutMapping"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "mapping": {},
                     *         "inherited": true,
                     *         "version": 3,
                     *         "run": {
                     *           "state": "running",
                     *           "evaluated": 1,
                     *           "total": 1,
                     *           "changed": 1,
                     *           "started_at": "2026-03-02T09:30:00.000Z",
                     *           "completed_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MappingState"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProductMapping: {
        parameters: {
            query: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "mapping": {},
                     *         "inherited": true,
                     *         "version": 3,
                     *         "run": {
                     *           "state": "running",
                     *           "evaluated": 1,
                     *           "total": 1,
                     *           "changed": 1,
                     *           "started_at": "2026-03-02T09:30:00.000Z",
                     *           "completed_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MappingState"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewProductMapping: {
        parameters: {
            query: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product: string;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mapping": {}
                 *     }
                 */
                "application/json": components["schemas"]["PreviewMapping"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "version": 1,
                     *         "roles": {
                     *           "admin": {
                     *             "gain": 3,
                     *             "lose": 1
                     *           }
                     *         },
                     *         "attributes": {
                     *           "department": 12
                     *         },
                     *         "users": [
                     *           {
                     *             "directory_id": "text",
                     *             "id": "text",
                     *             "email": "text",
                     *             "before": {
                     *               "roles": [
                     *                 "text"
                     *               ],
                     *               "attributes": {}
                     *             },
                     *             "after": {
                     *               "roles": [
                     *                 "text"
                     *               ],
                     *               "attributes": {}
                     *             },
                     *             "because": [
                     *               {
                     *                 "role": "admin",
                     *                 "rule": "text",
                     *                 "filter": "userType eq \"Employee\""
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MappingPreview"];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProductMappingVersions: {
        parameters: {
            query: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "version": 3,
                     *           "mapping": {},
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "created_by": "text"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MappingVersion"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "directories": {
                     *           "total": 1,
                     *           "healthy": 1,
                     *           "attention": 1,
                     *           "failing": 1,
                     *           "held": 1,
                     *           "deactivated": 1,
                     *           "unchecked": 1
                     *         },
                     *         "reasons": [
                     *           {
                     *             "code": "deactivated",
                     *             "state": "healthy",
                     *             "directories": 1
                     *           }
                     *         ],
                     *         "worst": [
                     *           {
                     *             "directory_id": "text",
                     *             "name": "text",
                     *             "tenant": "text",
                     *             "product": "text",
                     *             "type": "okta-scim-v2",
                     *             "state": "healthy",
                     *             "reasons": [
                     *               {
                     *                 "code": "deactivated",
                     *                 "message": "text",
                     *                 "since": "text"
                     *               }
                     *             ],
                     *             "last_request_at": "text",
                     *             "last_success_at": "text",
                     *             "last_change_at": "text",
                     *             "failed_authentications": {
                     *               "count": 1,
                     *               "last_at": "text",
                     *               "last_address": "text",
                     *               "last_problem": "text",
                     *               "since_last_success": 1
                     *             },
                     *             "delivery": {
                     *               "state": "off",
                     *               "delivered_sequence": 1,
                     *               "last_sequence": 1,
                     *               "pending": 1,
                     *               "failures": 1,
                     *               "failing_since": "text",
                     *               "next_attempt_at": "text",
                     *               "paused_at": "text",
                     *               "pause_reason": "gone",
                     *               "dead_events": 1,
                     *               "last_error": "text"
                     *             },
                     *             "hold": {
                     *               "since": "text",
                     *               "reason": "users",
                     *               "removals": 1,
                     *               "first_sequence": 1,
                     *               "reasons": [
                     *                 {
                     *                   "since": "text",
                     *                   "reason": "users",
                     *                   "removals": 1,
                     *                   "first_sequence": 1
                     *                 }
                     *               ]
                     *             },
                     *             "behaviors": {
                     *               "connection_tested": {
                     *                 "first_at": "text",
                     *                 "last_at": "text"
                     *               },
                     *               "user_created": {
                     *                 "first_at": "text",
                     *                 "last_at": "text"
                     *               },
                     *               "user_updated": {
                     *                 "first_at": "text",
                     *                 "last_at": "text"
                     *               },
                     *               "user_deactivated": {
                     *                 "first_at": "text",
                     *                 "last_at": "text"
                     *               },
                     *               "user_reactivated": {
                     *                 "first_at": "text",
                     *                 "last_at": "text"
                     *               },
                     *               "user_deleted": {
                     *                 "first_at": "text",
                     *                 "last_at": "text"
                     *               },
                     *               "group_pushed": {
                     *                 "first_at": "text",
                     *                 "last_at": "text"
                     *               },
                     *               "member_added": {
                     *                 "first_at": "text",
                     *                 "last_at": "text"
                     *               },
                     *               "member_removed": {
                     *                 "first_at": "text",
                     *                 "last_at": "text"
                     *               }
                     *             }
                     *           }
                     *         ],
                     *         "overdue_deprovisionings": {
                     *           "count": 1,
                     *           "is_at_least": true
                     *         },
                     *         "volumes": {
                     *           "counted_since": "2026-03-02T09:30:00.000Z",
                     *           "minutes": [
                     *             {
                     *               "at": "2026-03-02T09:30:00.000Z",
                     *               "events": 1,
                     *               "failed_deliveries": 1
                     *             }
                     *           ],
                     *           "hours": [
                     *             {
                     *               "at": "2026-03-02T09:30:00.000Z",
                     *               "events": 1,
                     *               "failed_deliveries": 1
                     *             }
                     *           ],
                     *           "days": [
                     *             {
                     *               "at": "2026-03-02T09:30:00.000Z",
                     *               "events": 1,
                     *               "failed_deliveries": 1
                     *             }
                     *           ]
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Overview"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    erasePerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "subject": "bjensen@acme.example",
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["EraseInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "erasure_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce5a1",
                     *         "at": "2026-03-02T09:30:00.000Z",
                     *         "places": {
                     *           "users": 1,
                     *           "groups": 1,
                     *           "events": 1,
                     *           "dead_events": 1,
                     *           "deliveries": 1,
                     *           "requests": 1,
                     *           "sync_runs": 1,
                     *           "holds": 1,
                     *           "audit": 1
                     *         },
                     *         "receipt": "text",
                     *         "subject_key": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Erasure"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listErasures: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 1 to 1000; 100 if omitted. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "erasure_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce5a1",
                     *           "at": "2026-03-02T09:30:00.000Z",
                     *           "started_at": "2026-03-02T09:30:00.000Z",
                     *           "tenant": "text",
                     *           "product": "text",
                     *           "by": {
                     *             "kind": "text",
                     *             "id": "text",
                     *             "name": "text"
                     *           },
                     *           "reason": "text",
                     *           "places": {
                     *             "users": 1,
                     *             "groups": 1,
                     *             "events": 1,
                     *             "dead_events": 1,
                     *             "deliveries": 1,
                     *             "requests": 1,
                     *             "sync_runs": 1,
                     *             "holds": 1,
                     *             "audit": 1
                     *           },
                     *           "receipt": "text"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ListedErasure"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportPerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "subject": "bjensen@acme.example"
                 *     }
                 */
                "application/json": components["schemas"]["PersonInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "subject": "text",
                     *         "tenant": "text",
                     *         "product": "text",
                     *         "exported_at": "2026-03-02T09:30:00.000Z",
                     *         "users": [
                     *           {
                     *             "id": "text",
                     *             "directory_id": "text",
                     *             "is_deleted": true
                     *           }
                     *         ],
                     *         "records": [
                     *           {}
                     *         ]
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PersonalData"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProductDirectories: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "name": "scim-acme-crm",
                     *           "tenant": "acme",
                     *           "product": "crm",
                     *           "type": "okta-scim-v2",
                     *           "log_webhook_events": false,
                     *           "log_scim_requests": false,
                     *           "unique_group_names": false,
                     *           "scim_auth": "any",
                     *           "deactivated": false,
                     *           "removal_limit": {
                     *             "percent": 30,
                     *             "minimum": 20,
                     *             "window_seconds": 3600
                     *           },
                     *           "scim": {
                     *             "path": "/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *             "secret": "mV0Zb2Xl4oYwT3rK9sPqJ7uH",
                     *             "endpoint": "https://rollcall.example/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *           },
                     *           "webhook": {
                     *             "endpoint": "https://crm.example/hooks/rollcall",
                     *             "secret": "whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r"
                     *           }
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Directory"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "okta-scim-v2": "Okta SCIM v2.0",
                     *         "azure-scim-v2": "Entra ID SCIM v2.0",
                     *         "onelogin-scim-v2": "OneLogin SCIM v2.0",
                     *         "jumpcloud-scim-v2": "JumpCloud SCIM v2.0",
                     *         "pingone-scim-v2": "PingOne SCIM v2.0",
                     *         "pingfederate-scim-v2": "PingFederate SCIM v2.0",
                     *         "rippling-scim-v2": "Rippling SCIM v2.0",
                     *         "cyberark-scim-v2": "CyberArk SCIM v2.0",
                     *         "sailpoint-scim-v2": "SailPoint SCIM v2.0",
                     *         "generic-scim-v2": "SCIM Generic v2.0",
                     *         "extdir": "Google Workspace"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Providers"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRefusedRequests: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A status code such as 409, or a class: 4xx or 5xx. */
                status?: string;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "directory_id": "text",
                     *           "name": "text",
                     *           "tenant": "text",
                     *           "product": "text",
                     *           "id": "text",
                     *           "at": "2026-03-02T09:30:00.000Z",
                     *           "method": "text",
                     *           "path": "text",
                     *           "status": 1,
                     *           "scim_type": "text",
                     *           "detail": "text",
                     *           "duration_ms": 1,
                     *           "user_agent": "text",
                     *           "address": "text",
                     *           "resource": {
                     *             "type": "User",
                     *             "id": "text"
                     *           },
                     *           "subject": "text",
                     *           "event_sequences": [
                     *             1
                     *           ]
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RefusedRequest"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTrace: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path: {
                /** @description An x-request-id, or the id of a sync run. */
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "request": {
                     *           "id": "text",
                     *           "at": "2026-03-02T09:30:00.000Z",
                     *           "method": "text",
                     *           "path": "text",
                     *           "status": 1,
                     *           "scim_type": "text",
                     *           "detail": "text",
                     *           "duration_ms": 1,
                     *           "user_agent": "text",
                     *           "address": "text",
                     *           "resource": {
                     *             "type": "User",
                     *             "id": "text"
                     *           },
                     *           "subject": "text",
                     *           "event_sequences": [
                     *             1
                     *           ],
                     *           "body": null,
                     *           "body_omitted": "too-large"
                     *         },
                     *         "changes": [
                     *           {
                     *             "resource": {
                     *               "type": "User",
                     *               "id": "text"
                     *             },
                     *             "before": {},
                     *             "after": {}
                     *           }
                     *         ],
                     *         "events": [
                     *           {
                     *             "deliveries": [
                     *               {
                     *                 "at": "2026-03-02T09:30:00.000Z",
                     *                 "target": "endpoint",
                     *                 "attempt": 1,
                     *                 "status": 1,
                     *                 "error": "text",
                     *                 "duration_ms": 1,
                     *                 "response_body": "text"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Trace"];
                        error: null;
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchEverything: {
        parameters: {
            query: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /**
                 * @description The beginning of a word of a name, or of a userName, email address, externalId or id, in any letter case; text of 1 to 256 characters.
                 * @example barbara
                 */
                q: string;
                /** @description One of user, group, directory. */
                type?: "user" | "group" | "directory";
                /** @description A whole number from 1 to 100. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "user",
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *           "name": "Barbara Jensen",
                     *           "email": "text",
                     *           "user_name": "text",
                     *           "active": true,
                     *           "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "directory_name": "scim-acme-crm",
                     *           "tenant": "acme",
                     *           "product": "crm"
                     *         }
                     *       ],
                     *       "error": null,
                     *       "complete": true
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SearchHit"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                        /** @description False while directories of an earlier version are being indexed: then something may be missing. */
                        complete: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSetupLink: {
        parameters: {
            query?: {
                /** @description The setupID of a link. */
                id?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "setupID": "text",
                     *         "tenant": "text",
                     *         "product": "text",
                     *         "service": "dsync",
                     *         "name": "text",
                     *         "validTill": 1,
                     *         "url": "text",
                     *         "directoryId": "text",
                     *         "webhook_url": "text",
                     *         "types": [
                     *           "okta-scim-v2"
                     *         ],
                     *         "roles": [
                     *           "text"
                     *         ],
                     *         "state": "new",
                     *         "created_at": "2026-03-02T09:30:00.000Z",
                     *         "opened_at": "2026-03-02T09:30:00.000Z",
                     *         "used_at": "2026-03-02T09:30:00.000Z"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupLink"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSetupLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tenant": "text",
                 *       "product": "text",
                 *       "roles": [
                 *         "admin",
                 *         "billing"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Text of 1 to 200 characters, without ":" and control characters. */
                    tenant: string;
                    /** @description Text of 1 to 200 characters, without ":" and control characters. */
                    product: string;
                    /** @description Text of 1 to 200 characters, without control characters. */
                    name?: string;
                    /** @description An http or https URL without credentials, at most 2000 characters; "" or null removes it. */
                    webhook_url?: string | null;
                    /** @description Text of at most 200 characters; if omitted, a "whsec_…" secret is generated. */
                    webhook_secret?: string;
                    /** @description The id of a directory. */
                    directoryId?: string;
                    /** @description A list of the provider types to choose from, at least one of okta-scim-v2, azure-scim-v2, onelogin-scim-v2, jumpcloud-scim-v2, pingone-scim-v2, pingfederate-scim-v2, rippling-scim-v2, cyberark-scim-v2, sailpoint-scim-v2, generic-scim-v2, extdir, each once. */
                    types?: ("okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir")[];
                    /**
                     * @description A list of at most 20 roles that the customer may give to groups, each once and text of 1 to 100 characters, without control characters.
                     * @example [
                     *       "admin",
                     *       "billing"
                     *     ]
                     */
                    roles?: string[];
                    /** @description How long the link works, a whole number of days from 1 to 365; 3 if omitted. */
                    expiryDays?: number;
                    /** @description True replaces the link that the tenant has for the product; or false. */
                    regenerate?: boolean | "true" | "false";
                    /**
                     * @description "dsync", or left out.
                     * @constant
                     */
                    service?: "dsync";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "setupID": "text",
                     *         "tenant": "text",
                     *         "product": "text",
                     *         "service": "dsync",
                     *         "name": "text",
                     *         "validTill": 1,
                     *         "url": "text",
                     *         "directoryId": "text",
                     *         "webhook_url": "text",
                     *         "types": [
                     *           "okta-scim-v2"
                     *         ],
                     *         "roles": [
                     *           "text"
                     *         ],
                     *         "state": "new",
                     *         "created_at": "2026-03-02T09:30:00.000Z",
                     *         "opened_at": "2026-03-02T09:30:00.000Z",
                     *         "used_at": "2026-03-02T09:30:00.000Z"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupLink"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSetupLink: {
        parameters: {
            query?: {
                /** @description The setupID of a link. */
                id?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {},
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: Record<string, never>;
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllSetupLinks: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "setupID": "text",
                     *           "tenant": "text",
                     *           "product": "text",
                     *           "service": "dsync",
                     *           "name": "text",
                     *           "validTill": 1,
                     *           "url": "text",
                     *           "directoryId": "text",
                     *           "webhook_url": "text",
                     *           "types": [
                     *             "okta-scim-v2"
                     *           ],
                     *           "roles": [
                     *             "text"
                     *           ],
                     *           "state": "new",
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "opened_at": "2026-03-02T09:30:00.000Z",
                     *           "used_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupLink"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSetupLinks: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "setupID": "text",
                     *           "tenant": "text",
                     *           "product": "text",
                     *           "service": "dsync",
                     *           "name": "text",
                     *           "validTill": 1,
                     *           "url": "text",
                     *           "directoryId": "text",
                     *           "webhook_url": "text",
                     *           "types": [
                     *             "okta-scim-v2"
                     *           ],
                     *           "roles": [
                     *             "text"
                     *           ],
                     *           "state": "new",
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "opened_at": "2026-03-02T09:30:00.000Z",
                     *           "used_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupLink"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
                /** @description One of the email addresses of a user, compared as a whole and in any letter case; text of 1 to 1000 characters. */
                email?: string;
                /** @description The userName of a user, compared as a whole and in any letter case; text of 1 to 1000 characters. */
                userName?: string;
                /** @description The same as userName, compared as a whole and in any letter case; text of 1 to 1000 characters. */
                user_name?: string;
                /** @description The externalId of a user, compared as a whole; text of 1 to 1000 characters. */
                externalId?: string;
                /** @description The id of a group, whose users are listed. */
                group?: string;
                /** @description True or false. */
                active?: boolean | "true" | "false";
                /**
                 * @description A date and time of RFC 3339, such as 2026-01-31T09:30:00Z; a + in a URL is written as %2B. What has changed since then is listed.
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_since?: string;
                /** @description The beginning of the userName, of any word of the name, or of any email address of users, in any letter case; text of 1 to 200 characters. */
                search?: string;
                /** @description A role that a mapping gives, text of 1 to 100 characters; without other filters. */
                role?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *           "first_name": "Barbara",
                     *           "last_name": "Jensen",
                     *           "email": "bjensen@acme.example",
                     *           "active": true,
                     *           "roles": [
                     *             "admin",
                     *             "member"
                     *           ],
                     *           "attributes": {
                     *             "department": "Sales"
                     *           },
                     *           "raw": {
                     *             "schemas": [
                     *               "urn:ietf:params:scim:schemas:core:2.0:User"
                     *             ],
                     *             "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *             "userName": "bjensen@acme.example",
                     *             "name": {
                     *               "givenName": "Barbara",
                     *               "familyName": "Jensen"
                     *             },
                     *             "active": true
                     *           },
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "updated_at": "2026-02-14T17:05:21.250Z",
                     *           "tenant": "acme",
                     *           "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: {
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description The id of a directory. */
                directoryId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *         "first_name": "Barbara",
                     *         "last_name": "Jensen",
                     *         "email": "bjensen@acme.example",
                     *         "active": true,
                     *         "roles": [
                     *           "admin",
                     *           "member"
                     *         ],
                     *         "attributes": {
                     *           "department": "Sales"
                     *         },
                     *         "raw": {
                     *           "schemas": [
                     *             "urn:ietf:params:scim:schemas:core:2.0:User"
                     *           ],
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *           "userName": "bjensen@acme.example",
                     *           "name": {
                     *             "givenName": "Barbara",
                     *             "familyName": "Jensen"
                     *           },
                     *           "active": true
                     *         },
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "updated_at": "2026-02-14T17:05:21.250Z",
                     *         "tenant": "acme",
                     *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDirectory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *         "name": "scim-acme-crm",
                     *         "tenant": "acme",
                     *         "product": "crm",
                     *         "type": "okta-scim-v2",
                     *         "log_webhook_events": false,
                     *         "log_scim_requests": false,
                     *         "unique_group_names": false,
                     *         "scim_auth": "any",
                     *         "deactivated": false,
                     *         "removal_limit": {
                     *           "percent": 30,
                     *           "minimum": 20,
                     *           "window_seconds": 3600
                     *         },
                     *         "scim": {
                     *           "path": "/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "secret": "mV0Zb2Xl4oYwT3rK9sPqJ7uH",
                     *           "endpoint": "https://rollcall.example/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *         },
                     *         "webhook": {
                     *           "endpoint": "https://crm.example/hooks/rollcall",
                     *           "secret": "whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Directory"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDirectory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {},
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: Record<string, never>;
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDirectory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Okta of Acme",
                 *       "log_webhook_events": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDirectoryInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *         "name": "scim-acme-crm",
                     *         "tenant": "acme",
                     *         "product": "crm",
                     *         "type": "okta-scim-v2",
                     *         "log_webhook_events": false,
                     *         "log_scim_requests": false,
                     *         "unique_group_names": false,
                     *         "scim_auth": "any",
                     *         "deactivated": false,
                     *         "removal_limit": {
                     *           "percent": 30,
                     *           "minimum": 20,
                     *           "window_seconds": 3600
                     *         },
                     *         "scim": {
                     *           "path": "/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "secret": "mV0Zb2Xl4oYwT3rK9sPqJ7uH",
                     *           "endpoint": "https://rollcall.example/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *         },
                     *         "webhook": {
                     *           "endpoint": "https://crm.example/hooks/rollcall",
                     *           "secret": "whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Directory"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAuthorizationUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "url": "text",
                     *         "expires_at": "2026-03-02T09:30:00.000Z"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AuthorizationUrl"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *         "name": "scim-acme-crm",
                     *         "tenant": "acme",
                     *         "product": "crm",
                     *         "type": "okta-scim-v2",
                     *         "log_webhook_events": false,
                     *         "log_scim_requests": false,
                     *         "unique_group_names": false,
                     *         "scim_auth": "any",
                     *         "deactivated": false,
                     *         "removal_limit": {
                     *           "percent": 30,
                     *           "minimum": 20,
                     *           "window_seconds": 3600
                     *         },
                     *         "scim": {
                     *           "path": "/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "secret": "mV0Zb2Xl4oYwT3rK9sPqJ7uH",
                     *           "endpoint": "https://rollcall.example/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *         },
                     *         "webhook": {
                     *           "endpoint": "https://crm.example/hooks/rollcall",
                     *           "secret": "whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Directory"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeadEvents: {
        parameters: {
            query?: {
                /** @description A whole number from 0 to 9007199254740991. */
                after?: number;
                /** @description A whole number from 1 to 1000. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "sequence": 1,
                     *           "died_at": "text",
                     *           "reason": "text",
                     *           "skipped": true,
                     *           "payload": {
                     *             "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                     *             "sequence": 7,
                     *             "event": "user.created",
                     *             "tenant": "acme",
                     *             "product": "crm",
                     *             "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *             "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                     *             "created_at": "2026-03-02T09:30:00.000Z",
                     *             "data": {
                     *               "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *               "first_name": "Barbara",
                     *               "last_name": "Jensen",
                     *               "email": "bjensen@acme.example",
                     *               "active": true,
                     *               "roles": [
                     *                 "admin",
                     *                 "member"
                     *               ],
                     *               "attributes": {
                     *                 "department": "Sales"
                     *               },
                     *               "raw": {
                     *                 "schemas": [
                     *                   "urn:ietf:params:scim:schemas:core:2.0:User"
                     *                 ],
                     *                 "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *                 "userName": "bjensen@acme.example",
                     *                 "name": {
                     *                   "givenName": "Barbara",
                     *                   "familyName": "Jensen"
                     *                 },
                     *                 "active": true
                     *               }
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeadEvent"][];
                        /** @description The sequence to send as `after` for the next page. */
                        next?: number;
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeliveryStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "state": "off",
                     *         "delivered_sequence": 1,
                     *         "last_sequence": 1,
                     *         "undelivered": 1,
                     *         "failures": 1,
                     *         "failing_since": "text",
                     *         "next_attempt_at": "text",
                     *         "paused": {
                     *           "reason": "gone",
                     *           "at": "text"
                     *         },
                     *         "dead_events": 1
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryStatus"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeprovisioning: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "count": 1,
                     *         "p50_ms": 1,
                     *         "p95_ms": 1,
                     *         "p99_ms": 1,
                     *         "target_ms": 1,
                     *         "overdue": [
                     *           {
                     *             "user_id": "text",
                     *             "subject": "text",
                     *             "since": "text",
                     *             "sequence": 1
                     *           }
                     *         ]
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeprovisioningTimes"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
                /** @description A type, one of user.created, user.updated, user.deleted, user.erased, group.created, group.updated, group.deleted, group.user_added, group.user_removed, endpoint.test, sync.started, user.snapshot, group.snapshot, member.snapshot, sync.completed. */
                event?: "user.created" | "user.updated" | "user.deleted" | "user.erased" | "group.created" | "group.updated" | "group.deleted" | "group.user_added" | "group.user_removed" | "endpoint.test" | "sync.started" | "user.snapshot" | "group.snapshot" | "member.snapshot" | "sync.completed";
                /** @description The id of a user or group that events are about, memberships included. */
                resource?: string;
                /** @description The cursor of the previous response, unchanged; with directoryId also the sequence and the id of the last event that you have, as sequence:id, or the sequence alone. Without it, the feed starts with the first event. */
                after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                     *           "sequence": 7,
                     *           "event": "user.created",
                     *           "tenant": "acme",
                     *           "product": "crm",
                     *           "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "data": {
                     *             "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *             "first_name": "Barbara",
                     *             "last_name": "Jensen",
                     *             "email": "bjensen@acme.example",
                     *             "active": true,
                     *             "roles": [
                     *               "admin",
                     *               "member"
                     *             ],
                     *             "attributes": {
                     *               "department": "Sales"
                     *             },
                     *             "raw": {
                     *               "schemas": [
                     *                 "urn:ietf:params:scim:schemas:core:2.0:User"
                     *               ],
                     *               "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *               "userName": "bjensen@acme.example",
                     *               "name": {
                     *                 "givenName": "Barbara",
                     *                 "familyName": "Jensen"
                     *               },
                     *               "active": true
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "next": "text",
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["StoredEvents"];
                    /**
                     * @example id: AlJ0w5uxB6Cp3xq3zAtA1AE
                     *     event: user.created
                     *     data: {}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
                /**
                 * @description The sequence of an event.
                 * @example 7
                 */
                sequence: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                     *         "sequence": 7,
                     *         "event": "user.created",
                     *         "tenant": "acme",
                     *         "product": "crm",
                     *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *         "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                     *         "created_at": "2026-03-02T09:30:00.000Z",
                     *         "data": {
                     *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *           "first_name": "Barbara",
                     *           "last_name": "Jensen",
                     *           "email": "bjensen@acme.example",
                     *           "active": true,
                     *           "roles": [
                     *             "admin",
                     *             "member"
                     *           ],
                     *           "attributes": {
                     *             "department": "Sales"
                     *           },
                     *           "raw": {
                     *             "schemas": [
                     *               "urn:ietf:params:scim:schemas:core:2.0:User"
                     *             ],
                     *             "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                     *             "userName": "bjensen@acme.example",
                     *             "name": {
                     *               "givenName": "Barbara",
                     *               "familyName": "Jensen"
                     *             },
                     *             "active": true
                     *           }
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Event"] | components["schemas"]["ErasedEvent"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
                /**
                 * @description The sequence of an event.
                 * @example 7
                 */
                sequence: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The CRM cannot store this name; the user was created by hand."
                 *     }
                 */
                "application/json": components["schemas"]["SkipInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "state": "off",
                     *         "delivered_sequence": 1,
                     *         "last_sequence": 1,
                     *         "undelivered": 1,
                     *         "failures": 1,
                     *         "failing_since": "text",
                     *         "next_attempt_at": "text",
                     *         "paused": {
                     *           "reason": "gone",
                     *           "at": "text"
                     *         },
                     *         "dead_events": 1
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryStatus"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGroupTimeline: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "kind": "request",
                     *           "at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimelineEntry"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDirectoryHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "state": "healthy",
                     *         "reasons": [
                     *           {
                     *             "code": "deactivated",
                     *             "message": "text",
                     *             "since": "text"
                     *           }
                     *         ],
                     *         "last_request_at": "text",
                     *         "last_success_at": "text",
                     *         "last_change_at": "text",
                     *         "failed_authentications": {
                     *           "count": 1,
                     *           "last_at": "text",
                     *           "last_address": "text",
                     *           "last_problem": "text",
                     *           "since_last_success": 1
                     *         },
                     *         "delivery": {
                     *           "state": "off",
                     *           "delivered_sequence": 1,
                     *           "last_sequence": 1,
                     *           "pending": 1,
                     *           "failures": 1,
                     *           "failing_since": "text",
                     *           "next_attempt_at": "text",
                     *           "paused_at": "text",
                     *           "pause_reason": "gone",
                     *           "dead_events": 1,
                     *           "last_error": "text"
                     *         },
                     *         "hold": {
                     *           "since": "text",
                     *           "reason": "users",
                     *           "removals": 1,
                     *           "first_sequence": 1,
                     *           "reasons": [
                     *             {
                     *               "since": "text",
                     *               "reason": "users",
                     *               "removals": 1,
                     *               "first_sequence": 1
                     *             }
                     *           ]
                     *         },
                     *         "behaviors": {
                     *           "connection_tested": {
                     *             "first_at": "text",
                     *             "last_at": "text"
                     *           },
                     *           "user_created": {
                     *             "first_at": "text",
                     *             "last_at": "text"
                     *           },
                     *           "user_updated": {
                     *             "first_at": "text",
                     *             "last_at": "text"
                     *           },
                     *           "user_deactivated": {
                     *             "first_at": "text",
                     *             "last_at": "text"
                     *           },
                     *           "user_reactivated": {
                     *             "first_at": "text",
                     *             "last_at": "text"
                     *           },
                     *           "user_deleted": {
                     *             "first_at": "text",
                     *             "last_at": "text"
                     *           },
                     *           "group_pushed": {
                     *             "first_at": "text",
                     *             "last_at": "text"
                     *           },
                     *           "member_added": {
                     *             "first_at": "text",
                     *             "last_at": "text"
                     *           },
                     *           "member_removed": {
                     *             "first_at": "text",
                     *             "last_at": "text"
                     *           }
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DirectoryHealth"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHold: {
        parameters: {
            query?: {
                /** @description Users per page. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
                /** @description Whose users the page has; by default the first reason. */
                reason?: "users" | "memberships" | "roles" | "adoption" | "sync";
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "held": true,
                     *         "since": "text",
                     *         "reason": "users",
                     *         "role": "text",
                     *         "role_users": 1,
                     *         "keep_at_least": 1,
                     *         "limit": {
                     *           "percent": 30,
                     *           "minimum": 20,
                     *           "window_seconds": 3600
                     *         },
                     *         "removals": 1,
                     *         "active_users": 1,
                     *         "first_sequence": 1,
                     *         "users": [
                     *           {
                     *             "id": "text",
                     *             "email": "text",
                     *             "removed_at": "text",
                     *             "returned_at": "text"
                     *           }
                     *         ],
                     *         "reasons": [
                     *           {
                     *             "reason": "users",
                     *             "since": "text",
                     *             "first_sequence": 1,
                     *             "limit": {
                     *               "percent": 30,
                     *               "minimum": 20,
                     *               "window_seconds": 3600
                     *             },
                     *             "removals": 1,
                     *             "highest": 1,
                     *             "users": [
                     *               {
                     *                 "id": "text",
                     *                 "email": "text",
                     *                 "removed_at": "text",
                     *                 "returned_at": "text"
                     *               }
                     *             ],
                     *             "roles": [
                     *               {
                     *                 "role": "text",
                     *                 "users": 1,
                     *                 "keep_at_least": 1,
                     *                 "since": "text",
                     *                 "first_sequence": 1
                     *               }
                     *             ],
                     *             "version": 1
                     *           }
                     *         ],
                     *         "version": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Hold"];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    discardHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reasons": [
                 *         "users"
                 *       ],
                 *       "version": "users:58213"
                 *     }
                 */
                "application/json": components["schemas"]["EndHoldInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "held": true,
                     *         "since": "text",
                     *         "reason": "users",
                     *         "role": "text",
                     *         "role_users": 1,
                     *         "keep_at_least": 1,
                     *         "limit": {
                     *           "percent": 30,
                     *           "minimum": 20,
                     *           "window_seconds": 3600
                     *         },
                     *         "removals": 1,
                     *         "active_users": 1,
                     *         "first_sequence": 1,
                     *         "users": [
                     *           {
                     *             "id": "text",
                     *             "email": "text",
                     *             "removed_at": "text",
                     *             "returned_at": "text"
                     *           }
                     *         ],
                     *         "reasons": [
                     *           {
                     *             "reason": "users",
                     *             "since": "text",
                     *             "first_sequence": 1,
                     *             "limit": {
                     *               "percent": 30,
                     *               "minimum": 20,
                     *               "window_seconds": 3600
                     *             },
                     *             "removals": 1,
                     *             "highest": 1,
                     *             "users": [
                     *               {
                     *                 "id": "text",
                     *                 "email": "text",
                     *                 "removed_at": "text",
                     *                 "returned_at": "text"
                     *               }
                     *             ],
                     *             "roles": [
                     *               {
                     *                 "role": "text",
                     *                 "users": 1,
                     *                 "keep_at_least": 1,
                     *                 "since": "text",
                     *                 "first_sequence": 1
                     *               }
                     *             ],
                     *             "version": 1
                     *           }
                     *         ],
                     *         "version": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Hold"];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reasons": [
                 *         "users"
                 *       ],
                 *       "version": "users:58213"
                 *     }
                 */
                "application/json": components["schemas"]["EndHoldInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "held": true,
                     *         "since": "text",
                     *         "reason": "users",
                     *         "role": "text",
                     *         "role_users": 1,
                     *         "keep_at_least": 1,
                     *         "limit": {
                     *           "percent": 30,
                     *           "minimum": 20,
                     *           "window_seconds": 3600
                     *         },
                     *         "removals": 1,
                     *         "active_users": 1,
                     *         "first_sequence": 1,
                     *         "users": [
                     *           {
                     *             "id": "text",
                     *             "email": "text",
                     *             "removed_at": "text",
                     *             "returned_at": "text"
                     *           }
                     *         ],
                     *         "reasons": [
                     *           {
                     *             "reason": "users",
                     *             "since": "text",
                     *             "first_sequence": 1,
                     *             "limit": {
                     *               "percent": 30,
                     *               "minimum": 20,
                     *               "window_seconds": 3600
                     *             },
                     *             "removals": 1,
                     *             "highest": 1,
                     *             "users": [
                     *               {
                     *                 "id": "text",
                     *                 "email": "text",
                     *                 "removed_at": "text",
                     *                 "returned_at": "text"
                     *               }
                     *             ],
                     *             "roles": [
                     *               {
                     *                 "role": "text",
                     *                 "users": 1,
                     *                 "keep_at_least": 1,
                     *                 "since": "text",
                     *                 "first_sequence": 1
                     *               }
                     *             ],
                     *             "version": 1
                     *           }
                     *         ],
                     *         "version": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Hold"];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "mapping": {},
                     *         "inherited": true,
                     *         "version": 3,
                     *         "run": {
                     *           "state": "running",
                     *           "evaluated": 1,
                     *           "total": 1,
                     *           "changed": 1,
                     *           "started_at": "2026-03-02T09:30:00.000Z",
                     *           "completed_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MappingState"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceMapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mapping": {}
                 *     }
                 */
                "application/json": components["schemas"]["PutMapping"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "mapping": {},
                     *         "inherited": true,
                     *         "version": 3,
                     *         "run": {
                     *           "state": "running",
                     *           "evaluated": 1,
                     *           "total": 1,
                     *           "changed": 1,
                     *           "started_at": "2026-03-02T09:30:00.000Z",
                     *           "completed_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MappingState"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "mapping": {},
                     *         "inherited": true,
                     *         "version": 3,
                     *         "run": {
                     *           "state": "running",
                     *           "evaluated": 1,
                     *           "total": 1,
                     *           "changed": 1,
                     *           "started_at": "2026-03-02T09:30:00.000Z",
                     *           "completed_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MappingState"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSeenAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "path": "title",
                     *           "users": 1,
                     *           "examples": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SeenAttribute"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewMapping: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mapping": {}
                 *     }
                 */
                "application/json": components["schemas"]["PreviewMapping"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "version": 1,
                     *         "roles": {
                     *           "admin": {
                     *             "gain": 3,
                     *             "lose": 1
                     *           }
                     *         },
                     *         "attributes": {
                     *           "department": 12
                     *         },
                     *         "users": [
                     *           {
                     *             "directory_id": "text",
                     *             "id": "text",
                     *             "email": "text",
                     *             "before": {
                     *               "roles": [
                     *                 "text"
                     *               ],
                     *               "attributes": {}
                     *             },
                     *             "after": {
                     *               "roles": [
                     *                 "text"
                     *               ],
                     *               "attributes": {}
                     *             },
                     *             "because": [
                     *               {
                     *                 "role": "admin",
                     *                 "rule": "text",
                     *                 "filter": "userType eq \"Employee\""
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MappingPreview"];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMappingVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "version": 3,
                     *           "mapping": {},
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "created_by": "text"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MappingVersion"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOAuthClients: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "client_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cc001",
                     *           "type": "secret",
                     *           "name": "text",
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "expires_at": "2026-03-02T09:30:00.000Z",
                     *           "last_used_at": "2026-03-02T09:30:00.000Z",
                     *           "issuer": "text",
                     *           "subject": "text",
                     *           "audience": "text",
                     *           "jwks_url": "text"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OAuthClient"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "secret",
                 *       "name": "Entra ID"
                 *     }
                 */
                "application/json": components["schemas"]["OAuthClientInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "client_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cc001",
                     *         "type": "secret",
                     *         "name": "text",
                     *         "created_at": "2026-03-02T09:30:00.000Z",
                     *         "expires_at": "2026-03-02T09:30:00.000Z",
                     *         "last_used_at": "2026-03-02T09:30:00.000Z",
                     *         "issuer": "text",
                     *         "subject": "text",
                     *         "audience": "text",
                     *         "jwks_url": "text",
                     *         "client_secret": "rcs_mV0Zb2Xl4oYwT3rK9sPqJ7uHmV0Zb2Xl4oYwT3rK9sP"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["NewOAuthClient"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
                /**
                 * @description The client_id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cc001
                 */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {},
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: Record<string, never>;
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "state": "off",
                     *         "delivered_sequence": 1,
                     *         "last_sequence": 1,
                     *         "undelivered": 1,
                     *         "failures": 1,
                     *         "failing_since": "text",
                     *         "next_attempt_at": "text",
                     *         "paused": {
                     *           "reason": "gone",
                     *           "at": "text"
                     *         },
                     *         "dead_events": 1
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryStatus"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sequence": 1
                 *     }
                 */
                "application/json": components["schemas"]["ReplayInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "state": "off",
                     *         "delivered_sequence": 1,
                     *         "last_sequence": 1,
                     *         "undelivered": 1,
                     *         "failures": 1,
                     *         "failing_since": "text",
                     *         "next_attempt_at": "text",
                     *         "paused": {
                     *           "reason": "gone",
                     *           "at": "text"
                     *         },
                     *         "dead_events": 1
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryStatus"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description A status code such as 409, a class such as 4xx, or refused for 400 and above. */
                status?: string;
                /** @description The userName, displayName or externalId that a request was about, or how it begins, in any letter case; text of 1 to 512 characters. */
                subject?: string;
                /** @description GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS. */
                method?: string;
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "text",
                     *           "at": "2026-03-02T09:30:00.000Z",
                     *           "method": "text",
                     *           "path": "text",
                     *           "status": 1,
                     *           "scim_type": "text",
                     *           "detail": "text",
                     *           "duration_ms": 1,
                     *           "user_agent": "text",
                     *           "address": "text",
                     *           "resource": {
                     *             "type": "User",
                     *             "id": "text"
                     *           },
                     *           "subject": "text",
                     *           "event_sequences": [
                     *             1
                     *           ]
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LoggedRequest"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "state": "off",
                     *         "delivered_sequence": 1,
                     *         "last_sequence": 1,
                     *         "undelivered": 1,
                     *         "failures": 1,
                     *         "failing_since": "text",
                     *         "next_attempt_at": "text",
                     *         "paused": {
                     *           "reason": "gone",
                     *           "at": "text"
                     *         },
                     *         "dead_events": 1
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryStatus"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getResync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "sync_id": "text",
                     *         "state": "running",
                     *         "users": 1,
                     *         "groups": 1,
                     *         "members": 1,
                     *         "started_at": "text",
                     *         "completed_at": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Resync"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startResync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "sync_id": "text",
                     *         "state": "running"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["StartedResync"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateDirectorySecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grace_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateSecretInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *         "name": "scim-acme-crm",
                     *         "tenant": "acme",
                     *         "product": "crm",
                     *         "type": "okta-scim-v2",
                     *         "log_webhook_events": false,
                     *         "log_scim_requests": false,
                     *         "unique_group_names": false,
                     *         "scim_auth": "any",
                     *         "deactivated": false,
                     *         "removal_limit": {
                     *           "percent": 30,
                     *           "minimum": 20,
                     *           "window_seconds": 3600
                     *         },
                     *         "scim": {
                     *           "path": "/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "secret": "mV0Zb2Xl4oYwT3rK9sPqJ7uH",
                     *           "endpoint": "https://rollcall.example/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *         },
                     *         "webhook": {
                     *           "endpoint": "https://crm.example/hooks/rollcall",
                     *           "secret": "whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Directory"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grace_seconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["RotateWebhookSecretInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *         "name": "scim-acme-crm",
                     *         "tenant": "acme",
                     *         "product": "crm",
                     *         "type": "okta-scim-v2",
                     *         "log_webhook_events": false,
                     *         "log_scim_requests": false,
                     *         "unique_group_names": false,
                     *         "scim_auth": "any",
                     *         "deactivated": false,
                     *         "removal_limit": {
                     *           "percent": 30,
                     *           "minimum": 20,
                     *           "window_seconds": 3600
                     *         },
                     *         "scim": {
                     *           "path": "/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                     *           "secret": "mV0Zb2Xl4oYwT3rK9sPqJ7uH",
                     *           "endpoint": "https://rollcall.example/api/scim/v2.0/01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101"
                     *         },
                     *         "webhook": {
                     *           "endpoint": "https://crm.example/hooks/rollcall",
                     *           "secret": "whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Directory"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startSync: {
        parameters: {
            query?: {
                /** @description True to respond when the sync has ended, or false. */
                wait?: "true" | "false";
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "text",
                     *         "directory_id": "text",
                     *         "state": "running",
                     *         "phase": "waiting",
                     *         "trigger": "api",
                     *         "started_at": "2026-03-02T09:30:00.000Z",
                     *         "finished_at": "2026-03-02T09:30:00.000Z",
                     *         "requests": 1,
                     *         "pages": 1,
                     *         "created": 1,
                     *         "updated": 1,
                     *         "deleted": 1,
                     *         "held": 1,
                     *         "skipped": 1,
                     *         "members_added": 1,
                     *         "members_removed": 1,
                     *         "error": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncRun"];
                        error: null;
                    };
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "text",
                     *         "directory_id": "text",
                     *         "state": "running",
                     *         "phase": "waiting",
                     *         "trigger": "api",
                     *         "started_at": "2026-03-02T09:30:00.000Z",
                     *         "finished_at": "2026-03-02T09:30:00.000Z",
                     *         "requests": 1,
                     *         "pages": 1,
                     *         "created": 1,
                     *         "updated": 1,
                     *         "deleted": 1,
                     *         "held": 1,
                     *         "skipped": 1,
                     *         "members_added": 1,
                     *         "members_removed": 1,
                     *         "error": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncRun"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSyncRuns: {
        parameters: {
            query?: {
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "text",
                     *           "directory_id": "text",
                     *           "state": "running",
                     *           "phase": "waiting",
                     *           "trigger": "api",
                     *           "started_at": "2026-03-02T09:30:00.000Z",
                     *           "finished_at": "2026-03-02T09:30:00.000Z",
                     *           "requests": 1,
                     *           "pages": 1,
                     *           "created": 1,
                     *           "updated": 1,
                     *           "deleted": 1,
                     *           "held": 1,
                     *           "skipped": 1,
                     *           "members_added": 1,
                     *           "members_removed": 1,
                     *           "error": "text"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncRun"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSyncRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "text",
                     *         "directory_id": "text",
                     *         "state": "running",
                     *         "phase": "waiting",
                     *         "trigger": "api",
                     *         "started_at": "2026-03-02T09:30:00.000Z",
                     *         "finished_at": "2026-03-02T09:30:00.000Z",
                     *         "requests": 1,
                     *         "pages": 1,
                     *         "created": 1,
                     *         "updated": 1,
                     *         "deleted": 1,
                     *         "held": 1,
                     *         "skipped": 1,
                     *         "members_added": 1,
                     *         "members_removed": 1,
                     *         "error": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncRun"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveSyncRun: {
        parameters: {
            query?: {
                /** @description True to respond when the sync has ended, or false. */
                wait?: "true" | "false";
            };
            header?: never;
            path: {
                id: string;
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "text",
                     *         "directory_id": "text",
                     *         "state": "running",
                     *         "phase": "waiting",
                     *         "trigger": "api",
                     *         "started_at": "2026-03-02T09:30:00.000Z",
                     *         "finished_at": "2026-03-02T09:30:00.000Z",
                     *         "requests": 1,
                     *         "pages": 1,
                     *         "created": 1,
                     *         "updated": 1,
                     *         "deleted": 1,
                     *         "held": 1,
                     *         "skipped": 1,
                     *         "members_added": 1,
                     *         "members_removed": 1,
                     *         "error": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncRun"];
                        error: null;
                    };
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "text",
                     *         "directory_id": "text",
                     *         "state": "running",
                     *         "phase": "waiting",
                     *         "trigger": "api",
                     *         "started_at": "2026-03-02T09:30:00.000Z",
                     *         "finished_at": "2026-03-02T09:30:00.000Z",
                     *         "requests": 1,
                     *         "pages": 1,
                     *         "created": 1,
                     *         "updated": 1,
                     *         "deleted": 1,
                     *         "held": 1,
                     *         "skipped": 1,
                     *         "members_added": 1,
                     *         "members_removed": 1,
                     *         "error": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncRun"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHeldDeletions: {
        parameters: {
            query?: {
                /** @description A whole number from 0 to 1000000000. */
                pageOffset?: number;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "kind": "user",
                     *           "id": "text"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["HeldDeletion"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "delivered": true,
                     *         "status_code": 1,
                     *         "latency_ms": 1,
                     *         "error": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TestDelivery"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserRoles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
                /**
                 * @description The id of the user.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "roles": [
                     *           {
                     *             "role": "admin",
                     *             "because": [
                     *               {
                     *                 "rule": "text",
                     *                 "filter": "userType eq \"Employee\""
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "denied": [
                     *           {
                     *             "role": "admin",
                     *             "because": [
                     *               {
                     *                 "rule": "text",
                     *                 "filter": "userType eq \"Employee\""
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UserRoles"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserTimeline: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "kind": "request",
                     *           "at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimelineEntry"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "text",
                     *         "product": "text",
                     *         "expires_at": "2026-03-02T09:30:00.000Z",
                     *         "portal": {
                     *           "name": "text",
                     *           "logo_url": "text",
                     *           "color": "text",
                     *           "listed_in": [
                     *             "text"
                     *           ]
                     *         },
                     *         "types": [
                     *           {
                     *             "type": "okta-scim-v2",
                     *             "label": "text"
                     *           }
                     *         ],
                     *         "roles": [
                     *           "text"
                     *         ],
                     *         "directory": {
                     *           "type": "okta-scim-v2",
                     *           "label": "text",
                     *           "deactivated": true,
                     *           "scim_endpoint": "text",
                     *           "secret_ending": "text",
                     *           "oauth": {
                     *             "token_endpoint": "text",
                     *             "is_required": true,
                     *             "clients": [
                     *               {
                     *                 "client_id": "text",
                     *                 "type": "secret",
                     *                 "created_at": "2026-03-02T09:30:00.000Z",
                     *                 "expires_at": "2026-03-02T09:30:00.000Z",
                     *                 "last_used_at": "2026-03-02T09:30:00.000Z"
                     *               }
                     *             ]
                     *           },
                     *           "google": {
                     *             "status": "none",
                     *             "can_connect": true,
                     *             "error": "text",
                     *             "domain": "text",
                     *             "pending_reason": "text",
                     *             "is_scheduled": true
                     *           }
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Setup"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSetupAuthorizationUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "url": "text",
                     *         "expires_at": "2026-03-02T09:30:00.000Z"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupAuthorizationUrl"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSetupDirectory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "okta-scim-v2"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description One of okta-scim-v2, azure-scim-v2, onelogin-scim-v2, jumpcloud-scim-v2, pingone-scim-v2, pingfederate-scim-v2, rippling-scim-v2, cyberark-scim-v2, sailpoint-scim-v2, generic-scim-v2, extdir.
                     * @enum {string}
                     */
                    type: "okta-scim-v2" | "azure-scim-v2" | "onelogin-scim-v2" | "jumpcloud-scim-v2" | "pingone-scim-v2" | "pingfederate-scim-v2" | "rippling-scim-v2" | "cyberark-scim-v2" | "sailpoint-scim-v2" | "generic-scim-v2" | "extdir";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "text",
                     *         "product": "text",
                     *         "expires_at": "2026-03-02T09:30:00.000Z",
                     *         "portal": {
                     *           "name": "text",
                     *           "logo_url": "text",
                     *           "color": "text",
                     *           "listed_in": [
                     *             "text"
                     *           ]
                     *         },
                     *         "types": [
                     *           {
                     *             "type": "okta-scim-v2",
                     *             "label": "text"
                     *           }
                     *         ],
                     *         "roles": [
                     *           "text"
                     *         ],
                     *         "directory": {
                     *           "type": "okta-scim-v2",
                     *           "label": "text",
                     *           "deactivated": true,
                     *           "scim_endpoint": "text",
                     *           "secret_ending": "text",
                     *           "oauth": {
                     *             "token_endpoint": "text",
                     *             "is_required": true,
                     *             "clients": [
                     *               {
                     *                 "client_id": "text",
                     *                 "type": "secret",
                     *                 "created_at": "2026-03-02T09:30:00.000Z",
                     *                 "expires_at": "2026-03-02T09:30:00.000Z",
                     *                 "last_used_at": "2026-03-02T09:30:00.000Z"
                     *               }
                     *             ]
                     *           },
                     *           "google": {
                     *             "status": "none",
                     *             "can_connect": true,
                     *             "error": "text",
                     *             "domain": "text",
                     *             "pending_reason": "text",
                     *             "is_scheduled": true
                     *           }
                     *         },
                     *         "secret": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupWithSecret"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSetupOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "secret"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Secret or federated.
                     * @enum {unknown}
                     */
                    type: "secret" | "federated";
                    /** @description The issuer of the assertions, at most 500 characters. */
                    issuer?: string;
                    /** @description The URL of the keys of the issuer, at most 500 characters. */
                    jwks_url?: string;
                    /** @description The subject of the assertions, at most 500 characters. */
                    subject?: string;
                    /** @description The audience of the assertions, at most 500 characters. */
                    audience?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "text",
                     *         "product": "text",
                     *         "expires_at": "2026-03-02T09:30:00.000Z",
                     *         "portal": {
                     *           "name": "text",
                     *           "logo_url": "text",
                     *           "color": "text",
                     *           "listed_in": [
                     *             "text"
                     *           ]
                     *         },
                     *         "types": [
                     *           {
                     *             "type": "okta-scim-v2",
                     *             "label": "text"
                     *           }
                     *         ],
                     *         "roles": [
                     *           "text"
                     *         ],
                     *         "directory": {
                     *           "type": "okta-scim-v2",
                     *           "label": "text",
                     *           "deactivated": true,
                     *           "scim_endpoint": "text",
                     *           "secret_ending": "text",
                     *           "oauth": {
                     *             "token_endpoint": "text",
                     *             "is_required": true,
                     *             "clients": [
                     *               {
                     *                 "client_id": "text",
                     *                 "type": "secret",
                     *                 "created_at": "2026-03-02T09:30:00.000Z",
                     *                 "expires_at": "2026-03-02T09:30:00.000Z",
                     *                 "last_used_at": "2026-03-02T09:30:00.000Z"
                     *               }
                     *             ]
                     *           },
                     *           "google": {
                     *             "status": "none",
                     *             "can_connect": true,
                     *             "error": "text",
                     *             "domain": "text",
                     *             "pending_reason": "text",
                     *             "is_scheduled": true
                     *           }
                     *         },
                     *         "created": {
                     *           "client_id": "text",
                     *           "client_secret": "text"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupWithOAuthClient"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSetupOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "text",
                     *         "product": "text",
                     *         "expires_at": "2026-03-02T09:30:00.000Z",
                     *         "portal": {
                     *           "name": "text",
                     *           "logo_url": "text",
                     *           "color": "text",
                     *           "listed_in": [
                     *             "text"
                     *           ]
                     *         },
                     *         "types": [
                     *           {
                     *             "type": "okta-scim-v2",
                     *             "label": "text"
                     *           }
                     *         ],
                     *         "roles": [
                     *           "text"
                     *         ],
                     *         "directory": {
                     *           "type": "okta-scim-v2",
                     *           "label": "text",
                     *           "deactivated": true,
                     *           "scim_endpoint": "text",
                     *           "secret_ending": "text",
                     *           "oauth": {
                     *             "token_endpoint": "text",
                     *             "is_required": true,
                     *             "clients": [
                     *               {
                     *                 "client_id": "text",
                     *                 "type": "secret",
                     *                 "created_at": "2026-03-02T09:30:00.000Z",
                     *                 "expires_at": "2026-03-02T09:30:00.000Z",
                     *                 "last_used_at": "2026-03-02T09:30:00.000Z"
                     *               }
                     *             ]
                     *           },
                     *           "google": {
                     *             "status": "none",
                     *             "can_connect": true,
                     *             "error": "text",
                     *             "domain": "text",
                     *             "pending_reason": "text",
                     *             "is_scheduled": true
                     *           }
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Setup"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateSetupSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grace_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateSecretInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "text",
                     *         "product": "text",
                     *         "expires_at": "2026-03-02T09:30:00.000Z",
                     *         "portal": {
                     *           "name": "text",
                     *           "logo_url": "text",
                     *           "color": "text",
                     *           "listed_in": [
                     *             "text"
                     *           ]
                     *         },
                     *         "types": [
                     *           {
                     *             "type": "okta-scim-v2",
                     *             "label": "text"
                     *           }
                     *         ],
                     *         "roles": [
                     *           "text"
                     *         ],
                     *         "directory": {
                     *           "type": "okta-scim-v2",
                     *           "label": "text",
                     *           "deactivated": true,
                     *           "scim_endpoint": "text",
                     *           "secret_ending": "text",
                     *           "oauth": {
                     *             "token_endpoint": "text",
                     *             "is_required": true,
                     *             "clients": [
                     *               {
                     *                 "client_id": "text",
                     *                 "type": "secret",
                     *                 "created_at": "2026-03-02T09:30:00.000Z",
                     *                 "expires_at": "2026-03-02T09:30:00.000Z",
                     *                 "last_used_at": "2026-03-02T09:30:00.000Z"
                     *               }
                     *             ]
                     *           },
                     *           "google": {
                     *             "status": "none",
                     *             "can_connect": true,
                     *             "error": "text",
                     *             "domain": "text",
                     *             "pending_reason": "text",
                     *             "is_scheduled": true
                     *           }
                     *         },
                     *         "secret": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupWithSecret"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSetupGroups: {
        parameters: {
            query?: {
                /** @description The beginning of any word of the name of groups, in any letter case; text of 1 to 200 characters. */
                search?: string;
                /** @description A whole number from 1 to 1000. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "text",
                     *           "name": "text",
                     *           "members": 1,
                     *           "role": "text",
                     *           "can_change": true
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupGroup"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceSetupGroupRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a group. */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description One of the roles of the link, or null for no role.
                     * @example admin
                     */
                    role: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "run": {
                     *           "state": "running",
                     *           "evaluated": 1,
                     *           "total": 1,
                     *           "changed": 1,
                     *           "started_at": "2026-03-02T09:30:00.000Z",
                     *           "completed_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupRolesRun"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewSetupGroupRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a group. */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description One of the roles of the link, or null for no role.
                     * @example admin
                     */
                    role: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "roles": [
                     *           {
                     *             "role": "admin",
                     *             "gain": {
                     *               "count": 1,
                     *               "examples": [
                     *                 "text"
                     *               ]
                     *             },
                     *             "lose": {
                     *               "count": 1,
                     *               "examples": [
                     *                 "text"
                     *               ]
                     *             },
                     *             "too_few": true
                     *           }
                     *         ]
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupRolePreview"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSetupHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "state": "waiting",
                     *         "last_request_at": "2026-03-02T09:30:00.000Z",
                     *         "signed_in_at": "2026-03-02T09:30:00.000Z",
                     *         "failed_authentications": {
                     *           "since_last_success": 1,
                     *           "last_at": "2026-03-02T09:30:00.000Z",
                     *           "last_problem": "text"
                     *         },
                     *         "behaviors": {},
                     *         "last_refused": {
                     *           "at": "2026-03-02T09:30:00.000Z",
                     *           "method": "text",
                     *           "subject": "text",
                     *           "status": 1,
                     *           "scim_type": "text",
                     *           "detail": "text"
                     *         },
                     *         "last_sync": {
                     *           "at": "2026-03-02T09:30:00.000Z",
                     *           "has_failed": true
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupHealth"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSetupRolesRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "run": {
                     *           "state": "running",
                     *           "evaluated": 1,
                     *           "total": 1,
                     *           "changed": 1,
                     *           "started_at": "2026-03-02T09:30:00.000Z",
                     *           "completed_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SetupRolesRun"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 1000; 100 if omitted. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "text",
                     *           "name": "text",
                     *           "prefix": "text",
                     *           "scope": {
                     *             "tenant": "text",
                     *             "product": "text",
                     *             "readOnly": true
                     *           },
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "expires_at": "2026-03-02T09:30:00.000Z",
                     *           "last_used_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "CRM, read-only",
                 *       "scope": {
                 *         "tenant": "acme",
                 *         "product": "crm",
                 *         "readOnly": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "text",
                     *         "name": "text",
                     *         "prefix": "text",
                     *         "scope": {
                     *           "tenant": "text",
                     *           "product": "text",
                     *           "readOnly": true
                     *         },
                     *         "created_at": "2026-03-02T09:30:00.000Z",
                     *         "expires_at": "2026-03-02T09:30:00.000Z",
                     *         "last_used_at": "2026-03-02T09:30:00.000Z",
                     *         "key": "text"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["NewApiKey"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {},
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: Record<string, never>;
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description One of admin.login, admin.login_failed, admin.logout, admin.updated, admin_token.disabled, console.signed_in, console.signed_out, api_key.created, api_key.deleted, directory.created, directory.updated, directory.deleted, directory.secret_rotated, directory.webhook_secret_rotated, directory.connected, directory.connection_requested, directory.connection_approved, directory.resync_started, directory.imported, directory.hold_released, directory.hold_discarded, directory.sync_started, directory.sync_approved, delivery.paused, delivery.resumed, delivery.replayed, delivery.skipped, delivery_log.deleted, setup_link.created, setup_link.deleted, mapping.changed, mapping.removed, oauth_client.created, oauth_client.deleted, person.exported, person.erased, encryption_key.rotated, database.backed_up, audit.exported. */
                action?: "admin.login" | "admin.login_failed" | "admin.logout" | "admin.updated" | "admin_token.disabled" | "console.signed_in" | "console.signed_out" | "api_key.created" | "api_key.deleted" | "directory.created" | "directory.updated" | "directory.deleted" | "directory.secret_rotated" | "directory.webhook_secret_rotated" | "directory.connected" | "directory.connection_requested" | "directory.connection_approved" | "directory.resync_started" | "directory.imported" | "directory.hold_released" | "directory.hold_discarded" | "directory.sync_started" | "directory.sync_approved" | "delivery.paused" | "delivery.resumed" | "delivery.replayed" | "delivery.skipped" | "delivery_log.deleted" | "setup_link.created" | "setup_link.deleted" | "mapping.changed" | "mapping.removed" | "oauth_client.created" | "oauth_client.deleted" | "person.exported" | "person.erased" | "encryption_key.rotated" | "database.backed_up" | "audit.exported";
                /** @description One of admin, api-key, setup, system. */
                actor_kind?: "admin" | "api-key" | "setup" | "system";
                /** @description An id of 1 to 100 characters. */
                actor_id?: string;
                /** @description An id of 1 to 100 characters. */
                target_id?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example acme
                 */
                tenant?: string;
                /**
                 * @description Text of 1 to 200 characters, without ":" and control characters.
                 * @example crm
                 */
                product?: string;
                /** @description A time, like 2026-01-31T12:00:00Z or 1767225600000 (Unix milliseconds). */
                from?: string | number;
                /** @description A time, like 2026-01-31T12:00:00Z or 1767225600000 (Unix milliseconds). */
                to?: string | number;
                /** @description A whole number from 1 to 1000; 100 if omitted. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "sequence": 1,
                     *           "id": "text",
                     *           "at": "2026-03-02T09:30:00.000Z",
                     *           "action": "admin.login",
                     *           "actor": {
                     *             "kind": "text",
                     *             "id": "text",
                     *             "name": "text"
                     *           },
                     *           "request_id": "text",
                     *           "address": "text",
                     *           "target": {
                     *             "kind": "text",
                     *             "id": "text",
                     *             "tenant": "text",
                     *             "product": "text"
                     *           },
                     *           "changes": {},
                     *           "erased": [
                     *             "text"
                     *           ],
                     *           "previous_hash": "text",
                     *           "hash": "text"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportAuditTrail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"sequence":1} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyAuditTrail: {
        parameters: {
            query?: {
                /** @description The end of the chain as returned earlier, <sequence>:<hash>. */
                end?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "ok": true,
                     *         "entries": 1,
                     *         "erased": 1,
                     *         "from": 1,
                     *         "to": 1,
                     *         "first_at": "2026-03-02T09:30:00.000Z",
                     *         "last_at": "2026-03-02T09:30:00.000Z",
                     *         "end": {
                     *           "sequence": 1,
                     *           "hash": "text"
                     *         }
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AuditChain"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateEncryptionKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "resealed": 1
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ResealedSecrets"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAdminTokens: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 1000; 100 if omitted. */
                pageLimit?: number;
                /** @description The pageToken of the previous page. */
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "text",
                     *           "user": {
                     *             "id": "text",
                     *             "email": "text"
                     *           },
                     *           "disabled": true,
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "last_used_at": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AdminToken"][];
                        error: null;
                        /** @description The token of the next page; absent on the last one. */
                        pageToken?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableAdminToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {},
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: Record<string, never>;
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "claims": {
                 *         "upstreamToken": "<ADMIN_ROOT_TOKEN>",
                 *         "email": "admin@acme.example"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LoginInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "email": "text",
                     *         "id": "text",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "token": "text",
                     *       "adminToken": {
                     *         "id": "text",
                     *         "userId": "text",
                     *         "tokenBcrypt": "text",
                     *         "token": "text",
                     *         "disabled": false,
                     *         "createdAt": "2026-03-02T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Login"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {},
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: Record<string, never>;
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "email": "text",
                     *         "id": "text",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Admin"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["AdminUserInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "email": "text",
                     *         "id": "text",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Admin"];
                        error: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example rollcall_events_undelivered{state="queued"} 0 */
                    "text/plain": string;
                };
            };
            404: components["responses"]["NotFound"];
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    receiveUserCreatedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "user.created",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *         "first_name": "Barbara",
                 *         "last_name": "Jensen",
                 *         "email": "bjensen@acme.example",
                 *         "active": true,
                 *         "roles": [
                 *           "admin",
                 *           "member"
                 *         ],
                 *         "attributes": {
                 *           "department": "Sales"
                 *         },
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:User"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *           "userName": "bjensen@acme.example",
                 *           "name": {
                 *             "givenName": "Barbara",
                 *             "familyName": "Jensen"
                 *           },
                 *           "active": true
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UserCreatedEvent"] | components["schemas"]["ErasedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserUpdatedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "user.updated",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *         "first_name": "Barbara",
                 *         "last_name": "Jensen",
                 *         "email": "bjensen@acme.example",
                 *         "active": true,
                 *         "roles": [
                 *           "admin",
                 *           "member"
                 *         ],
                 *         "attributes": {
                 *           "department": "Sales"
                 *         },
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:User"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *           "userName": "bjensen@acme.example",
                 *           "name": {
                 *             "givenName": "Barbara",
                 *             "familyName": "Jensen"
                 *           },
                 *           "active": true
                 *         }
                 *       },
                 *       "changes": {
                 *         "active": {
                 *           "from": true,
                 *           "to": false
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UserUpdatedEvent"] | components["schemas"]["ErasedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserDeletedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "user.deleted",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *         "first_name": "Barbara",
                 *         "last_name": "Jensen",
                 *         "email": "bjensen@acme.example",
                 *         "active": true,
                 *         "roles": [
                 *           "admin",
                 *           "member"
                 *         ],
                 *         "attributes": {
                 *           "department": "Sales"
                 *         },
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:User"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *           "userName": "bjensen@acme.example",
                 *           "name": {
                 *             "givenName": "Barbara",
                 *             "familyName": "Jensen"
                 *           },
                 *           "active": true
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UserDeletedEvent"] | components["schemas"]["ErasedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserErasedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "user.erased",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *         "erased": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UserErasedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveGroupCreatedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "group.created",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *         "name": "Engineering",
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:Group"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *           "displayName": "Engineering"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GroupCreatedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveGroupUpdatedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "group.updated",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *         "name": "Engineering",
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:Group"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *           "displayName": "Engineering"
                 *         }
                 *       },
                 *       "changes": {
                 *         "active": {
                 *           "from": true,
                 *           "to": false
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GroupUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveGroupDeletedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "group.deleted",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *         "name": "Engineering",
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:Group"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *           "displayName": "Engineering"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GroupDeletedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveGroupUserAddedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "group.user_added",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *         "first_name": "Barbara",
                 *         "last_name": "Jensen",
                 *         "email": "bjensen@acme.example",
                 *         "active": true,
                 *         "roles": [
                 *           "admin",
                 *           "member"
                 *         ],
                 *         "attributes": {
                 *           "department": "Sales"
                 *         },
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:User"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *           "userName": "bjensen@acme.example",
                 *           "name": {
                 *             "givenName": "Barbara",
                 *             "familyName": "Jensen"
                 *           },
                 *           "active": true
                 *         },
                 *         "group": {
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *           "name": "Engineering",
                 *           "raw": {
                 *             "schemas": [
                 *               "urn:ietf:params:scim:schemas:core:2.0:Group"
                 *             ],
                 *             "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *             "displayName": "Engineering"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GroupUserAddedEvent"] | components["schemas"]["ErasedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveGroupUserRemovedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "group.user_removed",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *         "first_name": "Barbara",
                 *         "last_name": "Jensen",
                 *         "email": "bjensen@acme.example",
                 *         "active": true,
                 *         "roles": [
                 *           "admin",
                 *           "member"
                 *         ],
                 *         "attributes": {
                 *           "department": "Sales"
                 *         },
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:User"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *           "userName": "bjensen@acme.example",
                 *           "name": {
                 *             "givenName": "Barbara",
                 *             "familyName": "Jensen"
                 *           },
                 *           "active": true
                 *         },
                 *         "group": {
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *           "name": "Engineering",
                 *           "raw": {
                 *             "schemas": [
                 *               "urn:ietf:params:scim:schemas:core:2.0:Group"
                 *             ],
                 *             "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *             "displayName": "Engineering"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GroupUserRemovedEvent"] | components["schemas"]["ErasedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveEndpointTestEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "endpoint.test",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "message": "text"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EndpointTestEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSyncStartedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "sync.started",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "sync_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01",
                 *         "users": 1,
                 *         "groups": 1,
                 *         "members": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SyncStartedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserSnapshotEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "user.snapshot",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *         "first_name": "Barbara",
                 *         "last_name": "Jensen",
                 *         "email": "bjensen@acme.example",
                 *         "active": true,
                 *         "roles": [
                 *           "admin",
                 *           "member"
                 *         ],
                 *         "attributes": {
                 *           "department": "Sales"
                 *         },
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:User"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *           "userName": "bjensen@acme.example",
                 *           "name": {
                 *             "givenName": "Barbara",
                 *             "familyName": "Jensen"
                 *           },
                 *           "active": true
                 *         },
                 *         "sync_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UserSnapshotEvent"] | components["schemas"]["ErasedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveGroupSnapshotEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "group.snapshot",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *         "name": "Engineering",
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:Group"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *           "displayName": "Engineering"
                 *         },
                 *         "sync_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GroupSnapshotEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMemberSnapshotEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "member.snapshot",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *         "first_name": "Barbara",
                 *         "last_name": "Jensen",
                 *         "email": "bjensen@acme.example",
                 *         "active": true,
                 *         "roles": [
                 *           "admin",
                 *           "member"
                 *         ],
                 *         "attributes": {
                 *           "department": "Sales"
                 *         },
                 *         "raw": {
                 *           "schemas": [
                 *             "urn:ietf:params:scim:schemas:core:2.0:User"
                 *           ],
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001",
                 *           "userName": "bjensen@acme.example",
                 *           "name": {
                 *             "givenName": "Barbara",
                 *             "familyName": "Jensen"
                 *           },
                 *           "active": true
                 *         },
                 *         "group": {
                 *           "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *           "name": "Engineering",
                 *           "raw": {
                 *             "schemas": [
                 *               "urn:ietf:params:scim:schemas:core:2.0:Group"
                 *             ],
                 *             "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001",
                 *             "displayName": "Engineering"
                 *           }
                 *         },
                 *         "sync_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberSnapshotEvent"] | components["schemas"]["ErasedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSyncCompletedEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *       "sequence": 7,
                 *       "event": "sync.completed",
                 *       "tenant": "acme",
                 *       "product": "crm",
                 *       "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *       "request_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cf001",
                 *       "created_at": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "sync_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3c5e01",
                 *         "users": 1,
                 *         "groups": 1,
                 *         "members": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SyncCompletedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; the events after it wait. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDirectoryDeliveryPausedNotice: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "directory.delivery_paused",
                 *       "timestamp": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *         "directory_name": "scim-acme-crm",
                 *         "tenant": "acme",
                 *         "product": "crm",
                 *         "message": "Delivery is paused.",
                 *         "reason": "gone",
                 *         "sequence": 7,
                 *         "failing_since": "2026-03-02T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DirectoryDeliveryPausedNotice"];
            };
        };
        responses: {
            /** @description The notice was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDirectoryHeldNotice: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "directory.held",
                 *       "timestamp": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *         "directory_name": "scim-acme-crm",
                 *         "tenant": "acme",
                 *         "product": "crm",
                 *         "message": "Delivery is paused.",
                 *         "reason": "users",
                 *         "removals": 4000,
                 *         "active_users": 4120,
                 *         "first_sequence": 58213
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DirectoryHeldNotice"];
            };
        };
        responses: {
            /** @description The notice was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDirectoryUnauthorizedNotice: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "directory.unauthorized",
                 *       "timestamp": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *         "directory_name": "scim-acme-crm",
                 *         "tenant": "acme",
                 *         "product": "crm",
                 *         "message": "Delivery is paused.",
                 *         "failures": 5,
                 *         "since": "2026-03-02T09:30:00.000Z",
                 *         "last_at": "2026-03-02T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DirectoryUnauthorizedNotice"];
            };
        };
        responses: {
            /** @description The notice was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDirectoryEventDeadNotice: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "directory.event_dead",
                 *       "timestamp": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *         "directory_name": "scim-acme-crm",
                 *         "tenant": "acme",
                 *         "product": "crm",
                 *         "message": "Delivery is paused.",
                 *         "sequence": 7,
                 *         "event_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701",
                 *         "event": "user.created",
                 *         "dead_events": 1,
                 *         "reason": "answered 400"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DirectoryEventDeadNotice"];
            };
        };
        responses: {
            /** @description The notice was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDirectoryCredentialExpiringNotice: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "directory.credential_expiring",
                 *       "timestamp": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *         "directory_name": "scim-acme-crm",
                 *         "tenant": "acme",
                 *         "product": "crm",
                 *         "message": "Delivery is paused.",
                 *         "client_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cc001",
                 *         "name": "text",
                 *         "expires_at": "2026-03-02T09:30:00.000Z",
                 *         "clients": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DirectoryCredentialExpiringNotice"];
            };
        };
        responses: {
            /** @description The notice was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDeprovisionOverdueNotice: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "deprovision.overdue",
                 *       "timestamp": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *         "directory_name": "scim-acme-crm",
                 *         "tenant": "acme",
                 *         "product": "crm",
                 *         "message": "Delivery is paused.",
                 *         "user_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3c0001",
                 *         "sequence": 7,
                 *         "since": "2026-03-02T09:30:00.000Z",
                 *         "overdue": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DeprovisionOverdueNotice"];
            };
        };
        responses: {
            /** @description The notice was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSyncFailedNotice: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "sync.failed",
                 *       "timestamp": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *         "directory_name": "scim-acme-crm",
                 *         "tenant": "acme",
                 *         "product": "crm",
                 *         "message": "Delivery is paused.",
                 *         "run_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3c5001",
                 *         "reason": "text"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SyncFailedNotice"];
            };
        };
        responses: {
            /** @description The notice was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSyncHeldNotice: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same in every attempt.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The directory.
                 * @example 01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101
                 */
                "rollcall-directory-id": components["parameters"]["DirectoryId"];
                /**
                 * @description The tenant of the directory, percent-encoded.
                 * @example acme
                 */
                "rollcall-tenant": components["parameters"]["DirectoryTenant"];
                /**
                 * @description The product of the directory, percent-encoded.
                 * @example crm
                 */
                "rollcall-product": components["parameters"]["DirectoryProduct"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "sync.held",
                 *       "timestamp": "2026-03-02T09:30:00.000Z",
                 *       "data": {
                 *         "directory_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3cd101",
                 *         "directory_name": "scim-acme-crm",
                 *         "tenant": "acme",
                 *         "product": "crm",
                 *         "message": "Delivery is paused.",
                 *         "run_id": "01980c5e-8f5c-7a10-9d3c-5b1f0a3c5001",
                 *         "reason": "text",
                 *         "held": 120
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SyncHeldNotice"];
            };
        };
        responses: {
            /** @description The notice was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The notice is sent again later. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
