/** What a JSON text may contain. Parsing costs time and memory per value and per new object shape, not per byte. */
export interface JsonLimits {
  /** Nesting levels of arrays and objects. */
  readonly depth: number
  /** Values, arrays and objects together; a short string counts twice, as the engine keeps a table of those. */
  readonly values: number
  /** Objects' names, each counted once after the same preceding names: the engine makes a hidden class for each. */
  readonly shapes: number
  /** Bytes of a string, as it is written. */
  readonly stringLength: number
}

/** The limit that a text exceeds. */
export type ExceededLimit = keyof JsonLimits

const quote = 0x22
export const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const minus = 0x2d
const [openArray, closeArray] = [0x5b, 0x5d]
const [openObject, closeObject] = [0x7b, 0x7d]

/** 1 for the bytes that a scan looks at outside of strings. */
const structural = new Uint8Array(256)
for (const code of [comma, openArray, closeArray, openObject, closeObject]) structural[code] = 1

/** Bytes of a short string at most, with the opening quote. */
const shortString = 11

/** What a scan tells of the structure of a text. Positions are those of the bytes. */
export interface JsonStructure {
  /** An array or object begins. */
  open(start: number, isArray: boolean): void
  /** The array or object that was opened last and is not closed ends. */
  close(end: number, isArray: boolean): void
  /** A comma in the array or object that was opened last and is not closed. */
  comma(index: number): void
  /** A name in the object that was opened last and is not closed, from its opening to its closing quote. */
  name(start: number, end: number): void
}

/** A scan of a JSON text that can be interrupted. */
export interface JsonScan {
  /** Goes on for about this many bytes. Returns the limit that is exceeded, or whether the end is reached. */
  advance(count: number): ExceededLimit | 'end' | undefined
}

/**
 * The first limit that a JSON text exceeds, found without parsing it. Commas and opening brackets outside of strings are
 * counted as values. A text that is not JSON gets any result: parsing rejects it.
 */
export function exceededLimit(text: string, limits: JsonLimits): ExceededLimit | undefined {
  if (isWithin(text, limits)) return undefined
  const bytes = Buffer.from(text)
  const found = createJsonScan(bytes, limits).advance(bytes.length)
  return found === 'end' ? undefined : found
}

/** Starts a scan of UTF-8 as that of `exceededLimit`, which tells the structure of what it has passed. */
export function createJsonScan(json: Uint8Array, limits: JsonLimits, structure?: JsonStructure): JsonScan {
  const shapes = createShapes()
  let [index, values, depth, longest] = [0, 0, 0, 0]
  /** The opening quote of the string that is being read. */
  let string: number | undefined

  function exceededNow(): ExceededLimit | undefined {
    if (depth > limits.depth) return 'depth'
    if (values > limits.values) return 'values'
    if (longest > limits.stringLength) return 'stringLength'
    return shapes.count() > limits.shapes ? 'shapes' : undefined
  }

  function endString(start: number, end: number): void {
    longest = Math.max(longest, end - start - 1)
    if (isName(json, end)) {
      shapes.add(depth, json, start, end)
      structure?.name(start, end)
    } else if (end - start <= shortString) values += 1
  }

  function readStructure(code: number, at: number): void {
    if (code === closeArray || code === closeObject) {
      depth -= 1
      structure?.close(at, code === closeArray)
      return
    }
    values += 1
    if (code === comma) {
      structure?.comma(at)
      return
    }
    depth += 1
    shapes.begin(depth)
    structure?.open(at, code === openArray)
  }

  return {
    advance(count) {
      const stop = Math.min(json.length, index + count)
      // A local variable, as the loop takes half the time with it.
      let at = index
      for (; at < stop; at += 1) {
        const code = string === undefined ? byteAt(json, at) : quote
        if (code === quote) {
          const start = string ?? at
          at = endOfString(json, string === undefined ? at + 1 : at, stop)
          if (at >= stop && stop < json.length) {
            string = start
            break
          }
          string = undefined
          endString(start, at)
        } else if (structural[code] === 1) readStructure(code, at)
        else continue
        const exceeded = exceededNow()
        if (exceeded !== undefined) return exceeded
      }
      index = at
      return index >= json.length ? 'end' : undefined
    },
  }
}

const opening = /[[{]/g

/** Whether a text is so short that it cannot exceed a limit: it has no more values and shapes than characters. */
function isWithin(text: string, { depth, values, shapes, stringLength }: JsonLimits): boolean {
  return text.length <= Math.min(values, shapes, stringLength / 3) && (text.match(opening)?.length ?? 0) <= depth
}

/** The numbers of a JSON text, as they are written; strings are skipped. */
export function* numbersIn(text: string): Generator<string> {
  const json = Buffer.from(text)
  for (let index = 0; index < json.length; index += 1) {
    const code = byteAt(json, index)
    if (code === quote) index = endOfString(json, index + 1, json.length)
    else if (code === minus || isDigit(code)) {
      const start = index
      while (isInNumber(byteAt(json, index + 1))) index += 1
      yield json.toString('latin1', start, index + 1)
    }
  }
}

/** 0 behind the end. */
function byteAt(json: Uint8Array, index: number): number {
  return json[index] ?? 0
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** A digit, or one of `+-.Ee`. */
function isInNumber(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === minus || code === 0x2e || code === 0x45 || code === 0x65
}

/** The position of the closing quote of the string that this position is in, or at least `stop` when it is not before that. */
function endOfString(json: Uint8Array, from: number, stop: number): number {
  let index = from
  for (; index < stop; index += 1) {
    const code = byteAt(json, index)
    if (code === quote) return index
    if (code === backslash) index += 1
  }
  return index
}

/** Whether the string that ends there is the name of an attribute. */
function isName(json: Uint8Array, end: number): boolean {
  return byteAt(json, endOfSpace(json, end + 1)) === colon
}

/** The first position, from this one on, that has no white space. */
export function endOfSpace(json: Uint8Array, from: number): number {
  let index = from
  while (isSpace(byteAt(json, index))) index += 1
  return index
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Random, so that an attacker cannot choose names whose hashes collide. */
const seed = Math.floor(Math.random() * 2 ** 32)

/** Counts different sequences of names by their hash; a collision only makes the count smaller. */
function createShapes() {
  const found = new Set<number>()
  const current: number[] = []
  return {
    /** A new object or array begins at this depth. */
    begin(depth: number): void {
      current[depth] = seed
    },
    /** Adds a name to the object at this depth. */
    add(depth: number, json: Uint8Array, start: number, end: number): void {
      let hash = current[depth] ?? seed
      for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ byteAt(json, index), 0x01000193)
      current[depth] = hash
      found.add(hash)
    },
    /** The number of different sequences. */
    count: () => found.size,
  }
}
