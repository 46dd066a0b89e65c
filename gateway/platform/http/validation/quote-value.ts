/** Quotes a rejected value in an error, as far as its schema permits. */
import { QUOTED_CHARACTERS_MAX } from '../../../../contract/errors/error-bodies.ts'
import { type FieldTree, fieldAt } from './field-tree.ts'

const CUT = '…'
/** A code, a date and a choice are one word; a name that was sent in the wrong field often is not. */
const ONE_WORD = /^[\x21-\x7e]+$/
/** Account numbers and the national ids of the Nordic countries, without their separators. */
const LONG_NUMBER = /\d{6}[-+A-Y]?\d{3}/i
const SEPARATORS = /[.-]/g
/** An amount, where none is expected. */
const PLAIN_NUMBER = /^[-+]?(\d{3,}|\d+[.,]\d+)$/

/** The value at a path of a request, cut to its maximum length; undefined where it must not be quoted. */
export function quotedValueAt(tree: FieldTree, request: unknown, path: string): string | undefined {
  const found = fieldAt(tree, request, path)
  const quotable = found?.tree.quotable ?? null
  if (quotable === null || !['string', 'number', 'boolean'].includes(typeof found?.value)) {
    return undefined
  }
  const text = String(found?.value)
  if (!ONE_WORD.test(text) || LONG_NUMBER.test(text.replaceAll(SEPARATORS, ''))) {
    return undefined
  }
  if (quotable === 'text' && PLAIN_NUMBER.test(text)) {
    return undefined
  }
  return text.length > QUOTED_CHARACTERS_MAX ? `${text.slice(0, QUOTED_CHARACTERS_MAX)}${CUT}` : text
}
