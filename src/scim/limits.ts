/** Limits of a filter: characters, nesting levels of parentheses and brackets, conditions. A URL cannot be as long. */
export const filterLimits = { length: 65_536, depth: 50, terms: 1500 } as const

/** Resources per page when the query does not say. */
export const defaultCount = 100

/** Resources per page at most; a larger `count` is reduced to this (RFC 7644 §3.4.2.4). */
export const maxCount = 1000

/** How long a cursor is valid (RFC 9865 §4, `cursorTimeout`). */
export const cursorTimeoutSeconds = 3600

/** Texts are sorted by this many characters: many keys are held in memory at once. */
export const maxSortKeyLength = 512

/** Attributes per object. Changing one copies the others, so more would make a request expensive. */
export const maxAttributes = 1000

/** Names in `attributes` or `excludedAttributes`. */
export const maxAttributeNames = 1000

/**
 * Values in a resource from a request, without a group's members; also in what a PATCH assigns. A larger one could not be
 * stored in any case, and converting it would block other requests.
 */
export const maxResourceValues = 50_000

/**
 * Characters of all names of attributes in a resource from a request, without a group's members; also in the values of a PATCH
 * without a path. Every name is looked up, and a resource that is stored has fewer.
 */
export const maxNamesLength = 262_144

/** Characters of the URN of an extension: it is repeated in `schemas`. */
export const maxUrnLength = 255

/** Characters of an attribute that a path or a dotted name leads to, where no schema lists it. */
export const maxAttributeNameLength = 255

/** Characters of a name with its URN and a sub-attribute. Nothing is known of a longer one. */
export const maxPathLength = maxUrnLength + 2 * maxAttributeNameLength + 2

/** Nesting levels of a value: storing and comparing it is recursive. */
export const maxValueDepth = 32

/** Operations per PATCH request, and attributes that all of them change together. */
export const maxPatchOperations = 1000

/** Characters of all paths of a PATCH request together: each path is parsed. */
export const maxPatchPathLength = 262_144

/** Operations per bulk request. */
export const maxBulkOperations = 1000

/** How long a bulk request may begin operations, in milliseconds. */
export const maxBulkDurationMs = 20_000

/** Characters of the events that a bulk request may write before it begins no further operation. */
export const maxBulkOutput = 16_777_216

/** Characters of a bulkId, and of an id in the path of an operation: the response of the operation repeats both. */
export const maxBulkIdLength = 500
export const maxIdLength = 600
