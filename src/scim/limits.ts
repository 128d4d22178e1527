/** What a filter may ask of this service: characters, levels of parentheses and brackets, comparisons. */
export const filterLimits = { length: 8192, depth: 50, terms: 500 } as const

/** How many resources a page holds unless the query says. */
export const defaultCount = 100

/** How many resources a page holds at most; who asks for more gets these (RFC 7644 §3.4.2.4). */
export const maxCount = 1000

/** How long a cursor may be used after it was answered (RFC 9865 §4, `cursorTimeout`). */
export const cursorTimeoutSeconds = 3600

/** How many characters of a text its order looks at: keys are kept for many resources at once. */
export const maxSortKeyLength = 512

/** How many names an object may have. A change of one copies the others, so that more would make a request expensive. */
export const maxAttributes = 1000

/** How many objects and arrays within each other a value may have: storing and comparing it takes stack. */
export const maxValueDepth = 32

/** How many operations one request may hold, and how many attributes it may name in the values of those without a path. */
export const maxPatchOperations = 1000

/** How many operations one bulk request may hold. */
export const maxBulkOperations = 1000
