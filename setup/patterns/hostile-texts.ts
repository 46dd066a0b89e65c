/** Derives texts from a regular expression that make a backtracking engine try as much as it can before it fails. */
import { setOf } from './count-steps.ts'
import { type PatternNode, parsePattern } from './parse-pattern.ts'

/** A text in one of three lengths: its beginning, what is repeated so many times, and its end. */
export type HostileText = (times: number) => string

/** Characters that most sets have one of. */
const CANDIDATES = [...' a0-.,;:/x1AZz_"\'=<>()[]{}\\%&#+*?!@|~^$\t\n\r\u00a0éøж中\u202e\u0000\u{1f600}']
const RARE_CANDIDATES = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code))
const SETS_MAX = 8
/** None of these fits to what precedes it in most expressions. */
const ENDS = ['', '\u0000', '\n!', '!', 'x']

/** Between two halves. */
const MIDDLES = ['-', '0']

/** Undefined for an expression that repeats nothing: it takes as many steps for each start, whatever the text. */
export function hostileTexts({ source, flags }: RegExp): readonly HostileText[] | undefined {
  const root = parsePattern(source, /[uv]/.test(flags))
  const repeats: { readonly before: string; readonly bodies: readonly string[] }[] = []
  const characters = new Set<string>()
  const visit = (node: PatternNode, before: string): void => {
    switch (node.kind) {
      case 'set':
        for (const character of charactersOf(node.source, flags)) {
          characters.add(character)
        }
        return
      case 'sequence':
        node.items.reduce((so, item) => {
          visit(item, so)
          return so + (samplesOf(item, flags)[0] ?? '')
        }, before)
        return
      case 'alternatives':
        for (const item of node.items) {
          visit(item, before)
        }
        return
      case 'repeat':
        if (node.max > REPEATED_MIN) {
          repeats.push({ before, bodies: samplesOf(node.item, flags) })
        }
        visit(node.item, before)
        return
      case 'group':
      case 'look':
        visit(node.item, before)
        return
      case 'assertion':
      case 'reference':
        return
    }
  }
  visit(root, '')
  return repeats.length === 0 ? undefined : textsOf(repeats, [...characters].slice(0, SETS_MAX))
}

/** A shorter repetition is a constant factor. */
const REPEATED_MIN = 20

function textsOf(
  repeats: readonly { readonly before: string; readonly bodies: readonly string[] }[],
  characters: readonly string[],
): readonly HostileText[] {
  const befores = [...new Set(['', ...repeats.map(({ before }) => before)])]
  const bodies = new Set([...characters, ...befores, ...repeats.flatMap((repeat) => repeat.bodies)])
  bodies.delete('')
  return befores.flatMap((before) => [...bodies].flatMap((body) => textsWith(before, body)))
}

/** Half as long as the shortest of the three. */
const HALF_CHARACTERS = 10

function textsWith(before: string, body: string): readonly HostileText[] {
  const half = body.repeat(Math.ceil(HALF_CHARACTERS / body.length))
  return [
    ...ENDS.map(
      (end): HostileText =>
        (times) =>
          before + half.repeat(2 * times) + end,
    ),
    ...MIDDLES.map(
      (middle): HostileText =>
        (times) => {
          const repeated = half.repeat(times)
          return `${before}${repeated}${middle}${repeated}\u0000`
        },
    ),
  ]
}

function charactersOf(source: string, flags: string): readonly string[] {
  const [, literal] = /^\\?([^.\\[a-zA-Z]|[a-zA-Z])$/.exec(source) ?? []
  if (literal !== undefined && (source === literal || /\W/.test(literal))) {
    return [literal]
  }
  const has = setOf(source, flags)
  const found = CANDIDATES.filter(has)
  return found.length > 0 ? [found[0] ?? '', found.at(-1) ?? ''] : RARE_CANDIDATES.filter(has).slice(0, 1)
}

const samples = new WeakMap<PatternNode, readonly string[]>()

/** Some texts that match a node. */
function samplesOf(node: PatternNode, flags: string): readonly string[] {
  const known = samples.get(node) ?? findSamples(node, flags)
  samples.set(node, known)
  return known
}

function findSamples(node: PatternNode, flags: string): readonly string[] {
  switch (node.kind) {
    case 'set':
      return charactersOf(node.source, flags)
    case 'assertion':
    case 'look':
    case 'reference':
      return ['']
    case 'group':
      return samplesOf(node.item, flags)
    case 'alternatives':
      return node.items.flatMap((item) => samplesOf(item, flags).slice(0, 2)).slice(0, 6)
    case 'sequence': {
      const items = node.items.map((item) => samplesOf(item, flags))
      return [0, 1].map((which) => items.map((texts) => texts[which] ?? texts[0] ?? '').join(''))
    }
    case 'repeat':
      return samplesOf(node.item, flags).map((sample) => sample.repeat(Math.max(1, Math.min(node.min, 40))))
  }
}
