/** Parses regular expressions into a tree, of which the steps of a backtracking engine can be counted. */

/** One node of a regular expression. */
export type PatternNode =
  /** A character, an escape such as `\d`, a class, or a dot: its source. */
  | { readonly kind: 'set'; readonly source: string }
  | { readonly kind: 'assertion'; readonly source: string }
  | { readonly kind: 'reference'; readonly group: string }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'alternatives'; readonly items: readonly PatternNode[] }
  /** `names` are its number and its name; none when it does not capture. */
  | { readonly kind: 'group'; readonly names: readonly string[]; readonly item: PatternNode }
  | { readonly kind: 'look'; readonly isBehind: boolean; readonly isNegative: boolean; readonly item: PatternNode }
  | {
      readonly kind: 'repeat'
      readonly item: PatternNode
      readonly min: number
      readonly max: number
      readonly isLazy: boolean
    }

const ESCAPE = /\\(?:p\{[^}]*\}|P\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|.)/sy
const CLASS = /\[(?:[^\]\\]|\\.)*\]/sy
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y
const GROUP = /\((?:\?(?:(:|=|!|<=|<!)|<(\w+)>))?/y
const REFERENCE = /\\(?:k<(\w+)>|([1-9]\d?))/y
const LOOKS: Readonly<Record<string, { readonly isBehind: boolean; readonly isNegative: boolean }>> = {
  '=': { isBehind: false, isNegative: false },
  '!': { isBehind: false, isNegative: true },
  '<=': { isBehind: true, isNegative: false },
  '<!': { isBehind: true, isNegative: true },
}

/** Where the parser is in the source. */
type Cursor = { readonly source: string; readonly isUnicode: boolean; at: number; groups: number }

/** Parses the source of an expression that JavaScript accepts; throws for syntax that none of ours uses. */
export function parsePattern(source: string, isUnicode: boolean): PatternNode {
  const cursor = { source, isUnicode, at: 0, groups: 0 }
  const root = parseAlternatives(cursor)
  requireSyntax(cursor, cursor.at === source.length)
  return root
}

function requireSyntax({ source, at }: Cursor, isKnown: boolean): void {
  if (!isKnown) {
    throw new Error(`/${source}/ has syntax that is not known here, at ${at}`)
  }
}

/** Reads what an expression with the flag `y` matches next. */
function read(cursor: Cursor, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = cursor.at
  const found = expression.exec(cursor.source)
  cursor.at += found?.[0].length ?? 0
  return found ?? undefined
}

function parseAlternatives(cursor: Cursor): PatternNode {
  const first = parseSequence(cursor)
  const items = [first]
  while (read(cursor, /\|/y) !== undefined) {
    items.push(parseSequence(cursor))
  }
  return items.length === 1 ? first : { kind: 'alternatives', items }
}

function parseSequence(cursor: Cursor): PatternNode {
  const items: PatternNode[] = []
  while (cursor.at < cursor.source.length && !'|)'.includes(cursor.source[cursor.at] ?? '')) {
    items.push(parseQuantifier(cursor, parseAtom(cursor)))
  }
  return { kind: 'sequence', items }
}

function parseQuantifier(cursor: Cursor, item: PatternNode): PatternNode {
  const [, sign, from = '', comma, to, lazy] = read(cursor, QUANTIFIER) ?? []
  if (lazy === undefined) {
    return item
  }
  const min = sign === undefined ? Number(from) : Number(sign === '+')
  const isUnlimited = sign === undefined ? comma === ',' && to === '' : sign !== '?'
  const max = sign === '?' ? 1 : comma === ',' ? Number(to) : min
  return { kind: 'repeat', item, min, max: isUnlimited ? Number.POSITIVE_INFINITY : max, isLazy: lazy === '?' }
}

function parseAtom(cursor: Cursor): PatternNode {
  const [assertion] = read(cursor, /\^|\$|\\b|\\B/y) ?? []
  if (assertion !== undefined) {
    return { kind: 'assertion', source: assertion }
  }
  const reference = read(cursor, REFERENCE)
  if (reference !== undefined) {
    return { kind: 'reference', group: reference[1] ?? reference[2] ?? '' }
  }
  const opening = read(cursor, GROUP)
  if (opening !== undefined) {
    return parseGroup(cursor, opening)
  }
  const [set = ''] =
    read(cursor, ESCAPE) ?? read(cursor, CLASS) ?? read(cursor, cursor.isUnicode ? /./suy : /./sy) ?? []
  return { kind: 'set', source: set }
}

function parseGroup(cursor: Cursor, [, sign = '', name]: RegExpExecArray): PatternNode {
  const isCapturing = sign === ''
  cursor.groups += Number(isCapturing)
  const names = isCapturing ? [String(cursor.groups), ...(name === undefined ? [] : [name])] : []
  const item = parseAlternatives(cursor)
  requireSyntax(cursor, read(cursor, /\)/y) !== undefined)
  const look = LOOKS[sign]
  return look === undefined ? { kind: 'group', names, item } : { kind: 'look', ...look, item }
}
