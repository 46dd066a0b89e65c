/** Counts the steps that a backtracking engine takes to search a text: no clock, and the same on every machine. */
import { type PatternNode, parsePattern } from './parse-pattern.ts'

/** Counts the steps of a search, up to a limit; also says whether it found something. */
export type StepCounter = (text: string, stepsMax: number) => { readonly steps: number; readonly isFound: boolean }

/** Continues with the rest of the expression; false when that does not match. */
type Next = (at: number) => boolean
type Matcher = (at: number, next: Next) => boolean

const STOPPED = Symbol('steps')

/** What one search reads and changes. */
type Search = { characters: readonly string[]; steps: number; stepsMax: number; readonly captured: Map<string, string> }

/** The counter of one expression. With the flag `g` all of its matches are searched, one after the other. */
export function stepCounter({ source, flags }: RegExp): StepCounter {
  const isUnicode = /[uv]/.test(flags)
  const root = parsePattern(source, isUnicode)
  const search: Search = { characters: [], steps: 0, stepsMax: 0, captured: new Map() }
  const match = matcherOf(root, flags.replace(/[gy]/g, ''), search)
  const isAnchored = flags.includes('y') || (!flags.includes('m') && isAnchoredAtStart(root))
  return (text, stepsMax) => {
    const characters = isUnicode ? [...text] : text.split('')
    Object.assign(search, { characters, steps: 0, stepsMax })
    try {
      const isFound = searchAll(match, isAnchored ? 0 : characters.length, flags.includes('g'))
      return { steps: search.steps, isFound }
    } catch (error) {
      if (error !== STOPPED) {
        throw error
      }
      return { steps: stepsMax, isFound: false }
    }
  }
}

function searchAll(match: Matcher, lastStart: number, isGlobal: boolean): boolean {
  let isFound = false
  for (let start = 0; start <= lastStart; start += 1) {
    let end = start
    const isMatch = match(start, (at) => {
      end = at
      return true
    })
    isFound ||= isMatch
    if (isMatch && !isGlobal) {
      return true
    }
    start = isMatch && end > start ? end - 1 : start
  }
  return isFound
}

/** Engines try such an expression at the start of the text only. */
function isAnchoredAtStart(node: PatternNode): boolean {
  switch (node.kind) {
    case 'assertion':
      return node.source === '^'
    case 'group':
      return isAnchoredAtStart(node.item)
    case 'sequence':
      return node.items[0] !== undefined && isAnchoredAtStart(node.items[0])
    case 'alternatives':
      return node.items.every(isAnchoredAtStart)
    default:
      return false
  }
}

function step(search: Search): void {
  search.steps += 1
  if (search.steps >= search.stepsMax) {
    throw STOPPED
  }
}

function matcherOf(node: PatternNode, flags: string, search: Search): Matcher {
  const compile = (item: PatternNode) => matcherOf(item, flags, search)
  switch (node.kind) {
    case 'set':
      return matchSet(setOf(node.source, flags), search)
    case 'assertion':
      return matchAssertion(node.source, flags, search)
    case 'reference':
      return matchReference(node.group, search)
    case 'sequence':
      return node.items.map(compile).reduceRight<Matcher>(
        (rest, item) => (at, next) => item(at, (after) => rest(after, next)),
        (at, next) => next(at),
      )
    case 'alternatives': {
      const items = node.items.map(compile)
      return (at, next) => items.some((item) => item(at, next))
    }
    case 'group':
      return node.names.length === 0 ? compile(node.item) : matchGroup(compile(node.item), node.names, search)
    case 'look':
      return matchLook(compile(node.item), node, search)
    case 'repeat':
      return matchRepeat(compile(node.item), node, search)
  }
}

function matchSet(has: (character: string) => boolean, search: Search): Matcher {
  return (at, next) => {
    step(search)
    const character = search.characters[at]
    return character !== undefined && has(character) && next(at + 1)
  }
}

function matchAssertion(source: string, flags: string, search: Search): Matcher {
  const isLine = (at: number) => flags.includes('m') && search.characters[at] === '\n'
  const hasWord = setOf('\\w', flags)
  const isWord = (at: number) => hasWord(search.characters[at] ?? '')
  const isBoundary = (at: number) => isWord(at - 1) !== isWord(at)
  const holds = {
    '^': (at: number) => at === 0 || isLine(at - 1),
    $: (at: number) => at === search.characters.length || isLine(at),
    '\\b': isBoundary,
    '\\B': (at: number) => !isBoundary(at),
  }[source]
  return (at, next) => {
    step(search)
    return holds?.(at) === true && next(at)
  }
}

function matchReference(group: string, search: Search): Matcher {
  return (at, next) => {
    step(search)
    const wanted = [...(search.captured.get(group) ?? '')]
    return wanted.every((character, n) => search.characters[at + n] === character) && next(at + wanted.length)
  }
}

function matchGroup(item: Matcher, names: readonly string[], search: Search): Matcher {
  return (at, next) =>
    item(at, (after) => {
      const before = names.map((name) => search.captured.get(name) ?? '')
      const matched = search.characters.slice(at, after).join('')
      for (const name of names) {
        search.captured.set(name, matched)
      }
      const isMatch = next(after)
      for (const [n, name] of names.entries()) {
        search.captured.set(name, isMatch ? matched : (before[n] ?? ''))
      }
      return isMatch
    })
}

function matchLook(item: Matcher, node: Extract<PatternNode, { kind: 'look' }>, search: Search): Matcher {
  const { min, max } = lengthsOf(node.item)
  const isBehind = (at: number) => {
    for (let start = at - min; start >= Math.max(0, at - max); start -= 1) {
      if (item(start, (end) => end === at)) {
        return true
      }
    }
    return false
  }
  const isThere = node.isBehind ? isBehind : (at: number) => item(at, () => true)
  return (at, next) => {
    step(search)
    return isThere(at) !== node.isNegative && next(at)
  }
}

function matchRepeat(
  item: Matcher,
  { min, max, isLazy }: Extract<PatternNode, { kind: 'repeat' }>,
  search: Search,
): Matcher {
  const repeat = (count: number, at: number, next: Next): boolean => {
    step(search)
    const more = () => count < max && item(at, (after) => (after > at || count < min) && repeat(count + 1, after, next))
    const enough = () => count >= min && next(at)
    return isLazy ? enough() || more() : more() || enough()
  }
  return (at, next) => repeat(0, at, next)
}

const sets = new Map<string, (character: string) => boolean>()

/** Tests one character with the engine of JavaScript. */
export function setOf(source: string, flags: string): (character: string) => boolean {
  return sets.getOrInsertComputed(`${flags} ${source}`, () => {
    const expression = new RegExp(`^(?:${source})$`, flags.replace(/[gym]/g, ''))
    const known = new Map<string, boolean>()
    return (character) => known.getOrInsertComputed(character, () => expression.test(character))
  })
}

/** The lengths of the texts that match a node. */
function lengthsOf(node: PatternNode): { readonly min: number; readonly max: number } {
  switch (node.kind) {
    case 'set':
      return { min: 1, max: 1 }
    case 'assertion':
    case 'look':
      return { min: 0, max: 0 }
    case 'reference':
      return { min: 0, max: Number.POSITIVE_INFINITY }
    case 'group':
      return lengthsOf(node.item)
    case 'sequence':
      return node.items.map(lengthsOf).reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }), {
        min: 0,
        max: 0,
      })
    case 'alternatives': {
      const lengths = node.items.map(lengthsOf)
      return { min: Math.min(...lengths.map(({ min }) => min)), max: Math.max(...lengths.map(({ max }) => max)) }
    }
    case 'repeat': {
      const { min, max } = lengthsOf(node.item)
      return { min: min * node.min, max: max === 0 ? 0 : max * node.max }
    }
  }
}
