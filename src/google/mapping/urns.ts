/** What Google says of a user or a group and SCIM has no attribute for is kept under these. */
export const googleUserUrn = 'urn:rollcall:params:scim:schemas:extension:google:2.0:User'
export const googleGroupUrn = 'urn:rollcall:params:scim:schemas:extension:google:2.0:Group'
