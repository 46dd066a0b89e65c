/** Reads what a qualified certificate says of its owner as a payment service provider (ETSI TS 119 495). */
import { type DerPart, dotted, readParts } from './der.ts'

/** Roles of payment service providers, as banks know them. */
export type Psd2Role = 'PSP_AS' | 'PSP_PI' | 'PSP_AI' | 'PSP_IC'

/** What the statements say; a certificate may have none. */
export type QualifiedStatements = {
  /** What the certificate is for: connections, or signing messages. */
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
/** The numbered part of a certificate that holds its extensions (RFC 5280). */
const EXTENSIONS_TAG = 0xa3

/** Reads the statements of a certificate in DER. */
export function qualifiedStatementsOf(certificate: Buffer): QualifiedStatements {
  const extension = extensionsOf(certificate).find(([name]) => idOf(name) === QC_STATEMENTS)
  // The name of an extension may be followed by whether it is critical; its content comes last.
  const content = extension?.at(-1)?.content
  const statements = content === undefined ? [] : within(readParts(content)[0]).map(within)
  const said = (id: string) => statements.find(([name]) => idOf(name) === id)?.[1]
  const [type] = within(said(QC_TYPE)).map(idOf)
  const [licensed] = within(said(PSD2))
  return {
    type: TYPE_BY_OID.get(type ?? '') ?? null,
    roles: within(licensed).flatMap((role) => ROLE_BY_OID.get(idOf(within(role)[0]) ?? '') ?? []),
  }
}

/** Each extension as its parts. */
function extensionsOf(certificate: Buffer): readonly (readonly DerPart[])[] {
  const [whole] = readParts(certificate)
  const [statement] = within(whole)
  const numbered = within(statement).find(({ tag }) => tag === EXTENSIONS_TAG)
  return within(within(numbered)[0]).map(within)
}

function within(part: DerPart | undefined): readonly DerPart[] {
  return part === undefined ? [] : readParts(part.content)
}

function idOf(part: DerPart | undefined): string | undefined {
  return part === undefined ? undefined : dotted(part.content)
}
