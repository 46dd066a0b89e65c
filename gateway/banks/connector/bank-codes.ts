/** Says what the codes mean that banks answer with: statuses and reasons of ISO 20022, codes of the Berlin Group. */
import tables from '../../../data/bank-codes.json' with { type: 'json' }

export type BankCode = { readonly code: string; readonly meaning: string; readonly source: string }

type Table = { readonly source: string; readonly meanings: Readonly<Record<string, string>> }

/** A reason before a message code: no code is in two tables. */
const bankCodes: ReadonlyMap<string, BankCode> = new Map(
  Object.values<Table>(tables).flatMap(({ source, meanings }) =>
    Object.entries(meanings).map(([code, meaning]): [string, BankCode] => [code, { code, meaning, source }]),
  ),
)

const WORDS = /\w+/g

/** The codes in a text of a bank, in their order. A lower-case word is a code only in a text of nothing but codes. */
export function bankCodesIn(text: string): readonly BankCode[] {
  const words = new Set(text.match(WORDS) ?? [])
  const found = [...words].flatMap((word) => bankCodes.get(word) ?? [])
  return found.length === words.size ? found : found.filter(({ code }) => code === code.toUpperCase())
}

/** The reason with its meaning, as in `AC04: the account is closed`; the code alone where it is unknown. */
export function describeReason(reason: string): string {
  const meaning = new Map<string, string>(Object.entries(tables.reasons.meanings)).get(reason)
  return meaning === undefined ? reason : `${reason}: ${meaning}`
}
