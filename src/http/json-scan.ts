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

/** The reason for rejecting a JSON text: the exceeded limit, or content that the service does not accept. */
export type JsonProblem = keyof JsonLimits | 'proto' | 'half-surrogate' | 'inexact-number'

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const minus = 0x2d
const letterU = 0x75
const [openArray, closeArray] = [0x5b, 0x5d]
const [openObject, closeObject] = [0x7b, 0x7d]

/** The maximum length of a short string in bytes, including the opening quote. */
const shortString = 11
/** Numbers with fewer characters are exact, unless they have an exponent. */
const longNumber = 16

/**
 * Finds the first problem of a JSON text in one pass, without parsing it. Commas and opening brackets outside of
 * strings are counted as values. The result is meaningless for a text that is not JSON: parsing rejects it.
 *
 * @param json UTF-8
 */
export function findJsonProblem(json: Buffer, limits: JsonLimits): JsonProblem | undefined {
  const shapes = createShapes()
  let [values, depth] = [0, 0]
  for (let index = 0; index < json.length; index += 1) {
    const code = byteAt(json, index)
    if (code === quote) {
      const start = index
      const string = readString(json, start)
      index = string.end
      const length = index - start - 1
      if (length > limits.stringLength) return 'stringLength'
      if (string.mayHaveHalfSurrogate && !isWellFormed(json, start, index)) return 'half-surrogate'
      if (isName(json, index)) {
        if (isProto(json, start, index, string.isEscaped)) return 'proto'
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
    else if (code === minus || isDigit(code)) {
      const start = index
      while (isInNumber(byteAt(json, index + 1))) index += 1
      if (!isExact(json, start, index + 1)) return 'inexact-number'
    }
    if (values > limits.values) return 'values'
  }
  return undefined
}

/** The byte at an index; 0 beyond the end. */
function byteAt(json: Buffer, index: number): number {
  return json[index] ?? 0
}

interface JsonString {
  /** The position of the closing quote; the end of the text if there is none. */
  readonly end: number
  readonly isEscaped: boolean
  /** Only escape sequences can represent half of a surrogate pair, because the text is UTF-8. */
  readonly mayHaveHalfSurrogate: boolean
}

/** Reads the string whose opening quote is at `start`. */
function readString(json: Buffer, start: number): JsonString {
  let [isEscaped, mayHaveHalfSurrogate] = [false, false]
  let end = start + 1
  for (; end < json.length; end += 1) {
    const code = byteAt(json, end)
    if (code === quote) break
    if (code !== backslash) continue
    isEscaped = true
    end += 1
    if (byteAt(json, end) === letterU && (byteAt(json, end + 1) | 0x20) === 0x64) mayHaveHalfSurrogate = true
  }
  return { end: Math.min(end, json.length), isEscaped, mayHaveHalfSurrogate }
}

/** The value of the string between these quotes; undefined if it is not JSON. */
function decode(json: Buffer, start: number, end: number): string | undefined {
  try {
    const value: unknown = JSON.parse(json.toString('utf8', start, end + 1))
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function isWellFormed(json: Buffer, start: number, end: number): boolean {
  return decode(json, start, end)?.isWellFormed() ?? true
}

const proto = '__proto__'

function isProto(json: Buffer, start: number, end: number, isEscaped: boolean): boolean {
  const length = end - start - 1
  if (isEscaped) return length <= 6 * proto.length && decode(json, start, end) === proto
  if (length !== proto.length) return false
  for (let index = 0; index < length; index += 1) {
    if (byteAt(json, start + 1 + index) !== proto.charCodeAt(index)) return false
  }
  return true
}

/** Whether the string that ends there is the name of a member. */
function isName(json: Buffer, end: number): boolean {
  let index = end + 1
  while (isSpace(byteAt(json, index))) index += 1
  return byteAt(json, index) === colon
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

const [letterE, letterLowerE] = [0x45, 0x65]

/** A digit, or one of `+-.Ee`. */
function isInNumber(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === minus || code === 0x2e || code === letterE || code === letterLowerE
}

/**
 * Whether a number is exact: neither an integer beyond ±2^53, which JavaScript cannot represent exactly, nor infinite.
 */
function isExact(json: Buffer, start: number, end: number): boolean {
  if (end - start < longNumber && !hasExponent(json, start, end)) return true
  const literal = json.toString('latin1', start, end)
  const value = Number(literal)
  return Number.isSafeInteger(value) || Number.isNaN(value) || (Number.isFinite(value) && /[.eE]/.test(literal))
}

function hasExponent(json: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const code = byteAt(json, index)
    if (code === letterE || code === letterLowerE) return true
  }
  return false
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
