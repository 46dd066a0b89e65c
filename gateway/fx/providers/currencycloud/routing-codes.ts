/** Maps a clearing code to the provider's routing code fields: one field, or bank and branch separately. */

type Part = { readonly type: string; readonly length: number | null }

/** Routing code types by country (API; lengths from the provider's page on beneficiaries); `bank_code` elsewhere. */
const PARTS_BY_COUNTRY: Readonly<Record<string, readonly Part[]>> = {
  US: [{ type: 'aba', length: null }],
  AU: [{ type: 'bsb_code', length: null }],
  GB: [{ type: 'sort_code', length: null }],
  GG: [{ type: 'sort_code', length: null }],
  IM: [{ type: 'sort_code', length: null }],
  JE: [{ type: 'sort_code', length: null }],
  IN: [{ type: 'ifsc', length: null }],
  CN: [{ type: 'cnaps', length: null }],
  MX: [{ type: 'clabe', length: null }],
  HK: [
    { type: 'bank_code', length: 3 },
    { type: 'branch_code', length: 3 },
  ],
  SG: [
    { type: 'bank_code', length: 4 },
    { type: 'branch_code', length: 3 },
  ],
  JP: [
    { type: 'bank_code', length: 4 },
    { type: 'branch_code', length: 3 },
  ],
  ZA: [{ type: 'branch_code', length: null }],
}
const DEFAULT_PARTS: readonly Part[] = [{ type: 'bank_code', length: null }]
/** A zero, three digits of the institution, five of the branch. */
const CANADIAN = /^0(\d{3})(\d{5})$/

/** The form fields of a clearing code. */
export function routingCodes(bankCountry: string, clearingCode: string): Readonly<Record<string, string>> {
  const canadian = bankCountry === 'CA' ? CANADIAN.exec(clearingCode) : null
  if (canadian !== null) {
    const [, institution = '', branch = ''] = canadian
    return fieldsOf([
      ['institution_no', institution],
      ['branch_code', branch],
    ])
  }
  const parts = Object.hasOwn(PARTS_BY_COUNTRY, bankCountry)
    ? (PARTS_BY_COUNTRY[bankCountry] ?? DEFAULT_PARTS)
    : DEFAULT_PARTS
  const [first, second] = parts
  if (first?.length && second?.length && clearingCode.length === first.length + second.length) {
    return fieldsOf([
      [first.type, clearingCode.slice(0, first.length)],
      [second.type, clearingCode.slice(first.length)],
    ])
  }
  return fieldsOf([[first?.type ?? 'bank_code', clearingCode]])
}

/** Whether a field of the required details is a routing code type. */
export function isRoutingCode(field: string): boolean {
  return ROUTING_CODE_TYPES.has(field)
}

const ROUTING_CODE_TYPES: ReadonlySet<string> = new Set([
  'aba',
  'bank_code',
  'branch_code',
  'bsb_code',
  'clabe',
  'cnaps',
  'ifsc',
  'institution_no',
  'sort_code',
])

function fieldsOf(codes: readonly (readonly [type: string, value: string])[]): Record<string, string> {
  return Object.fromEntries(
    codes.flatMap(([type, value], index) => [
      [`routing_code_type_${index + 1}`, type],
      [`routing_code_value_${index + 1}`, value],
    ]),
  )
}
