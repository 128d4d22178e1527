/** What a filter may ask of this service: characters, levels of parentheses and brackets, comparisons. */
export const filterLimits = { length: 8192, depth: 50, terms: 500 } as const
