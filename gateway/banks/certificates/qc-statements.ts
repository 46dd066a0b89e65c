/** Reads the PSD2 statements of a qualified certificate: type, roles and licence (ETSI TS 119 495). */

type DerElement = { readonly tag: number; readonly content: Buffer }

const LENGTH_OF_LENGTH = 0x7f
/** More than any certificate needs: four bytes allow 4 GB. */
const LENGTH_BYTES_MAX = 4

/** The elements of a sequence. Throws when the bytes are not valid DER. */
function parseDer(bytes: Buffer): readonly DerElement[] {
  const parts: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    const { part, next } = readPart(bytes, at)
    parts.push(part)
    at = next
  }
  return parts
}

function readPart(bytes: Buffer, at: number): { readonly part: DerElement; readonly next: number } {
  const tag = byteAt(bytes, at)
  const first = byteAt(bytes, at + 1)
  const lengthBytes = first > LENGTH_OF_LENGTH ? first & LENGTH_OF_LENGTH : 0
  if (lengthBytes > LENGTH_BYTES_MAX || first === LENGTH_OF_LENGTH + 1) {
    throw new Error('Invalid DER: impossible length of an element')
  }
  const begin = at + 2 + lengthBytes
  const length = lengthBytes === 0 ? first : bytes.subarray(at + 2, begin).reduce((sum, byte) => sum * 256 + byte, 0)
  if (begin + length > bytes.length) {
    throw new Error('Invalid DER: an element exceeds its container')
  }
  return { part: { tag, content: bytes.subarray(begin, begin + length) }, next: begin + length }
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) {
    throw new Error('Invalid DER: unexpected end')
  }
  return byte
}

/** The content of an object identifier in its dotted form, e.g. `2.5.4.97`. */
function formatObjectIdentifier(content: Buffer): string {
  const numbers: number[] = []
  let value = 0
  for (const byte of content) {
    value = value * 128 + (byte & LENGTH_OF_LENGTH)
    if (byte <= LENGTH_OF_LENGTH) {
      numbers.push(value)
      value = 0
    }
  }
  const [head = 0, ...others] = numbers
  const first = Math.min(Math.floor(head / 40), 2)
  return [first, head - first * 40, ...others].join('.')
}

/** PSD2 roles of payment service providers. */
export type Psd2Role = 'PSP_AS' | 'PSP_PI' | 'PSP_AI' | 'PSP_IC'

/** The content of the statements; a certificate may have none. */
export type QcStatements = {
  /** The use of the certificate: TLS or message signatures. */
  readonly type: 'QWAC' | 'QSEAL' | null
  readonly roles: readonly Psd2Role[]
}

const QC_STATEMENTS = '1.3.6.1.5.5.7.1.3'
const QC_TYPE = '0.4.0.1862.1.6'
const PSD2 = '0.4.0.19495.2'
const TYPE_BY_OID: ReadonlyMap<string, 'QWAC' | 'QSEAL'> = new Map([
  ['0.4.0.1862.1.6.2', 'QSEAL'],
  ['0.4.0.1862.1.6.3', 'QWAC'],
])
const ROLE_BY_OID: ReadonlyMap<string, Psd2Role> = new Map([
  ['0.4.0.19495.1.1', 'PSP_AS'],
  ['0.4.0.19495.1.2', 'PSP_PI'],
  ['0.4.0.19495.1.3', 'PSP_AI'],
  ['0.4.0.19495.1.4', 'PSP_IC'],
])
/** Context tag of a certificate's extensions (RFC 5280). */
const EXTENSIONS_TAG = 0xa3

/** Reads the statements of a certificate in DER. */
export function parseQcStatements(certificate: Buffer): QcStatements {
  const extension = extensionsOf(certificate).find(([name]) => idOf(name) === QC_STATEMENTS)
  // The identifier of an extension may be followed by the critical flag; its content comes last.
  const content = extension?.at(-1)?.content
  const statements = content === undefined ? [] : within(parseDer(content)[0]).map(within)
  const reported = (id: string) => statements.find(([name]) => idOf(name) === id)?.[1]
  const [type] = within(reported(QC_TYPE)).map(idOf)
  const [licensed] = within(reported(PSD2))
  return {
    type: TYPE_BY_OID.get(type ?? '') ?? null,
    roles: within(licensed).flatMap((role) => ROLE_BY_OID.get(idOf(within(role)[0]) ?? '') ?? []),
  }
}

function extensionsOf(certificate: Buffer): readonly (readonly DerElement[])[] {
  const [root] = parseDer(certificate)
  const [statement] = within(root)
  const numbered = within(statement).find(({ tag }) => tag === EXTENSIONS_TAG)
  return within(within(numbered)[0]).map(within)
}

function within(part: DerElement | undefined): readonly DerElement[] {
  return part === undefined ? [] : parseDer(part.content)
}

function idOf(part: DerElement | undefined): string | undefined {
  return part === undefined ? undefined : formatObjectIdentifier(part.content)
}
