/** Reads the PSD2 statements of a qualified certificate: type, roles and licence (ETSI TS 119 495). */

import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, OctetString } from 'asn1js'

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
const EXTENSIONS_TAG = 3

/** Reads the statements of a certificate in DER. */
export function parseQcStatements(certificate: Buffer): QcStatements {
  const extension = extensionsOf(certificate).find(([name]) => idOf(name) === QC_STATEMENTS)
  // The identifier of an extension may be followed by the critical flag; its content comes last.
  const content = extension?.find((part) => part instanceof OctetString)?.getValue()
  const statements = content === undefined ? [] : within(parseDer(content)).map(within)
  const reported = (id: string) => statements.find(([name]) => idOf(name) === id)?.[1]
  const [type] = within(reported(QC_TYPE)).map(idOf)
  const [licensed] = within(reported(PSD2))
  return {
    type: TYPE_BY_OID.get(type ?? '') ?? null,
    roles: within(licensed).flatMap((role) => ROLE_BY_OID.get(idOf(within(role)[0]) ?? '') ?? []),
  }
}

function extensionsOf(certificate: Buffer): readonly (readonly BaseBlock[])[] {
  const [statement] = within(parseDer(certificate))
  const numbered = within(statement).find(
    ({ idBlock }) => idBlock.tagNumber === EXTENSIONS_TAG && idBlock.tagClass === 3,
  )
  return within(within(numbered)[0]).map(within)
}

function parseDer(bytes: Buffer | ArrayBuffer): BaseBlock {
  const { result, offset } = fromBER(bytes)
  if (offset === -1) {
    throw new Error(`Invalid DER: ${result.error}`)
  }
  return result
}

function within(part: BaseBlock | undefined): readonly BaseBlock[] {
  return part instanceof Constructed ? part.valueBlock.value : []
}

function idOf(part: BaseBlock | undefined): string | undefined {
  return part instanceof ObjectIdentifier ? part.getValue() : undefined
}
