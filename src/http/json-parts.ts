import type { JsonStructure } from './json-scan.ts'
import { comma, endOfSpace } from './json-scan.ts'

/** The value of a JSON text that is parsed while the text is scanned. The methods throw a SyntaxError if it is not JSON. */
export interface JsonParts extends JsonStructure {
  /** The value, at the end of the scan. */
  value(): unknown
}

/** Checks a part of a text and its value. */
export type CheckPart = (text: string, value: unknown) => void

/** An array or object whose end has not been reached. */
interface Container {
  /** Where its opening bracket is. */
  start: number
  isArray: boolean
  /** The last name in it, from quote to quote. */
  nameStart: number
  nameEnd: number
  /** What has been parsed of it; undefined as long as nothing has. */
  elements: Elements | undefined
  /** What stands before the text that has not been parsed. */
  after: 'bracket' | 'comma' | 'element'
}

/** The elements of an array or the members of an object. */
interface Elements {
  /** Adds at least one; the text has the brackets around them. */
  add(text: string): void
  /** Replaces the value of the last one. */
  replaceLast(name: string, value: unknown): void
  /** All of them. */
  value(): unknown
}

/**
 * Parses a JSON text in parts, as the parser cannot be interrupted: at each comma that is far enough from the last such comma,
 * what is in between is decoded, parsed and added to the arrays and objects that are open there. The result is that of
 * `JSON.parse`.
 *
 * @param json the text in UTF-8; what has been parsed of it is changed
 * @param length the least number of bytes of a part
 * @param check is called with each part that was parsed; what it throws is passed on
 */
export function createJsonParts(json: Buffer, length: number, check: CheckPart): JsonParts {
  /** By depth. Each is used for all containers of its depth, as there are many. */
  const containers: Container[] = []
  /** The number of containers that are open, and of those, from the outermost, that have elements. */
  let [open, begun] = [0, 0]
  /** The text before this position has been parsed. */
  let parsed = 0
  /** The value that the text has if its array or object was not parsed at once. */
  let root: { readonly value: unknown } | undefined

  function parse(text: string): unknown {
    const value: unknown = JSON.parse(text)
    check(text, value)
    return value
  }

  const textOf = (start: number, end: number) => json.toString('utf8', start, end)

  function innermost(): Container {
    const container = containers[open - 1]
    if (container === undefined) throw new SyntaxError('There is no array or object.')
    return container
  }

  /** Parses the text of a container from `parsed` to `end`, and `last` behind it. */
  function parseTo(end: number, { isArray, elements, after }: Container, last = ''): void {
    const [opening, closing] = isArray ? ['[', ']'] : ['{', '}']
    let before = parsed - 1
    if (after === 'element') {
      before = endOfSpace(json, parsed)
      if (before >= end && last === '') return
      if (json[before] !== comma) throw new SyntaxError('There is no comma.')
    }
    // In place, as a long text would be copied to put it between brackets.
    json.write(opening, before)
    if (last === '') json.write(closing, end)
    elements?.add(last === '' ? textOf(before, end + 1) : `${textOf(before, end)}${last}${closing}`)
  }

  /** Parses the text before a container, for which there is a null in the one around it until it ends. */
  function begin(container: Container, around: Container | undefined): void {
    if (around !== undefined) parseTo(container.start, around, 'null')
    else if (root !== undefined || endOfSpace(json, 0) < container.start) throw new SyntaxError('There are two values.')
    container.elements = container.isArray ? elementsOfArray(parse) : elementsOfObject(parse)
    parsed = container.start + 1
  }

  function finish(value: unknown, around: Container | undefined): void {
    if (around === undefined) root = { value }
    else {
      around.elements?.replaceLast(textOf(around.nameStart, around.nameEnd + 1), value)
      around.after = 'element'
    }
  }

  return {
    open(start, isArray) {
      const container = containers[open] ?? createContainer()
      containers[open] = container
      container.start = start
      container.isArray = isArray
      container.elements = undefined
      container.after = 'bracket'
      open += 1
    },
    close(position, isArray) {
      const container = innermost()
      if (container.isArray !== isArray) throw new SyntaxError('The bracket does not match.')
      if (container.elements !== undefined) {
        parseTo(position, container)
        parsed = position + 1
        begun -= 1
        finish(container.elements.value(), containers[begun - 1])
      }
      open -= 1
    },
    comma(index) {
      const container = innermost()
      if (index - parsed < length) return
      for (const [depth, one] of containers.slice(0, open).entries())
        if (depth >= begun) begin(one, containers[depth - 1])
      begun = open
      parseTo(index, container)
      container.after = 'comma'
      parsed = index + 1
    },
    name(start, end) {
      const container = innermost()
      container.nameStart = start
      container.nameEnd = end
    },
    value() {
      if (open > 0) throw new SyntaxError('There is an array or object without an end.')
      if (root === undefined) return parse(textOf(0, json.length))
      if (endOfSpace(json, parsed) < json.length) throw new SyntaxError('There are two values.')
      return root.value
    },
  }
}

function createContainer(): Container {
  return { start: 0, isArray: false, nameStart: 0, nameEnd: 0, elements: undefined, after: 'bracket' }
}

type Parse = (text: string) => unknown

function elementsOfArray(parse: Parse): Elements {
  // Joined at the end: an array that grows step by step leaves twice its size to the garbage collector.
  const parts: unknown[][] = []
  return {
    add(text) {
      const part = parse(text)
      if (!Array.isArray(part) || part.length === 0) throw new SyntaxError(noElement)
      parts.push(part)
    },
    replaceLast(_name, element) {
      parts.at(-1)?.splice(-1, 1, element)
    },
    value: () => parts.flat(),
  }
}

function elementsOfObject(parse: Parse): Elements {
  const value = {}
  return {
    add(text) {
      const members = Object.entries(parse(text) ?? {})
      if (members.length === 0) throw new SyntaxError(noElement)
      for (const [name, member] of members) define(value, name, member)
    },
    replaceLast(name, member) {
      define(value, JSON.parse(name), member)
    },
    value: () => value,
  }
}

/** Also for the name `__proto__`, which is no property of its own when it is assigned. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true })
}

const noElement = 'There is nothing before a comma or behind one.'
