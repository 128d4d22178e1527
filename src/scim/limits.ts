/** Limits of a filter: characters, nesting levels of parentheses and brackets, conditions. */
export const filterLimits = { length: 65_536, depth: 50, terms: 1500 } as const

/** Resources per page without a `count`. */
export const defaultCount = 100

/** The maximum number of resources per page; a larger `count` is reduced to this (RFC 7644 §3.4.2.4). */
export const maxCount = 1000

/** Lifetime of a cursor (RFC 9865 §4, `cursorTimeout`). */
export const cursorTimeoutSeconds = 3600

/** The number of characters by which texts are sorted: many keys are in memory at once. */
export const maxSortKeyLength = 512

/**
 * The maximum number of attributes per object. Changing one copies the others, so more would make a request expensive.
 */
export const maxAttributes = 1000

/** The maximum number of names in `attributes` or `excludedAttributes`. */
export const maxAttributeNames = 1000

/**
 * The maximum number of values in a resource from a request, without a group's members, and in the values of a PATCH. A
 * larger resource could not be stored, and converting it would block other requests.
 */
export const maxResourceValues = 50_000

/**
 * The maximum number of characters of all names of attributes in a resource from a request, without a group's members; also in the
 * values of a PATCH without a path. Every name is looked up.
 */
export const maxNamesLength = 262_144

/** The maximum length of the URN of an extension in characters: it is repeated in `schemas`. */
export const maxUrnLength = 255

/** The maximum length of an unknown attribute's name in characters, in a path or a dotted name. */
export const maxAttributeNameLength = 255

/** The maximum length of a name with its URN and a sub-attribute, in characters. No schema has a longer one. */
export const maxPathLength = maxUrnLength + 2 * maxAttributeNameLength + 2

/** The maximum number of nesting levels of a value: storing and comparing it is recursive. */
export const maxValueDepth = 32

/** The maximum number of operations per PATCH request, and of attributes that all of them change together. */
export const maxPatchOperations = 1000

/** The maximum number of characters of all paths of a PATCH request together: each path is parsed. */
export const maxPatchPathLength = 262_144

/** The maximum number of operations per bulk request. */
export const maxBulkOperations = 1000

/** Time after which a bulk request begins no further operation, in milliseconds. */
export const maxBulkDurationMs = 20_000

/** The number of characters in its events after which a bulk request begins no further operation. */
export const maxBulkOutput = 16_777_216

/**
 * The maximum length of a bulkId, and of an id in the path of an operation, in characters: the response repeats both.
 */
export const maxBulkIdLength = 500
export const maxIdLength = 600
