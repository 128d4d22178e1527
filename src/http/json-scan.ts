/** Limits of a JSON text. Parsing costs time and memory per value and per new object shape, not per byte. */
export interface JsonLimits {
  /** Nesting levels of arrays and objects. */
  readonly depth: number
  /** Values, including arrays and objects; a short string counts twice, because the engine keeps a table of them. */
  readonly values: number
  /** Objects' names, each counted once after the same preceding names: the engine makes a hidden class for each. */
  readonly shapes: number
  /** The length of a string literal, in bytes. */
  readonly stringLength: number
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const [openArray, closeArray] = [0x5b, 0x5d]
const [openObject, closeObject] = [0x7b, 0x7d]

/** The maximum length of a short string in bytes, including the opening quote. */
const shortString = 11

/**
 * Finds the first limit that a JSON text exceeds in one pass, without parsing it. Commas and opening brackets outside of
 * strings are counted as values. The result is meaningless for a text that is not JSON: parsing rejects it.
 *
 * @param json UTF-8
 */
export function findExceededLimit(json: Buffer, limits: JsonLimits): keyof JsonLimits | undefined {
  const shapes = createShapes()
  let [values, depth] = [0, 0]
  for (let index = 0; index < json.length; index += 1) {
    const code = byteAt(json, index)
    if (code === quote) {
      const start = index
      index = endOfString(json, start)
      if (index - start - 1 > limits.stringLength) return 'stringLength'
      if (isName(json, index)) {
        shapes.add(depth, json, start, index)
        if (shapes.count() > limits.shapes) return 'shapes'
      } else if (index - start <= shortString) values += 1
    } else if (code === comma) values += 1
    else if (code === openArray || code === openObject) {
      values += 1
      depth += 1
      if (depth > limits.depth) return 'depth'
      shapes.begin(depth)
    } else if (code === closeArray || code === closeObject) depth -= 1
    if (values > limits.values) return 'values'
  }
  return undefined
}

/** The byte at an index; 0 beyond the end. */
function byteAt(json: Buffer, index: number): number {
  return json[index] ?? 0
}

/** The position of the closing quote of the string that begins at `start`; the end of the text if there is none. */
function endOfString(json: Buffer, start: number): number {
  let end = start + 1
  for (; end < json.length; end += 1) {
    const code = byteAt(json, end)
    if (code === quote) break
    if (code === backslash) end += 1
  }
  return Math.min(end, json.length)
}

/** Returns whether the string that ends there is the name of a member. */
function isName(json: Buffer, end: number): boolean {
  let index = end + 1
  while (isSpace(byteAt(json, index))) index += 1
  return byteAt(json, index) === colon
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** A random seed, so that an attacker cannot choose names whose hashes collide. */
const seed = Math.floor(Math.random() * 2 ** 32)

/** Counts distinct sequences of names by their hash; a collision only makes the count smaller. */
function createShapes() {
  const found = new Set<number>()
  const current: number[] = []
  return {
    /** Begins an object or array at this depth. */
    begin(depth: number): void {
      current[depth] = seed
    },
    /** Adds a name to the object at this depth. */
    add(depth: number, json: Buffer, start: number, end: number): void {
      let hash = current[depth] ?? seed
      for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ byteAt(json, index), 0x01000193)
      current[depth] = hash
      found.add(hash)
    },
    /** Returns the number of different sequences. */
    count: () => found.size,
  }
}
