/** Parses our certificates with their keys: the QWAC for TLS, the QSEAL for message signatures. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, OctetString } from 'asn1js'

/** PSD2 roles of payment service providers. */
export type Psd2Role = 'PSP_AS' | 'PSP_PI' | 'PSP_AI' | 'PSP_IC'

/** The content of the statements; a certificate may have none. */
type QcStatements = {
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
function parseQcStatements(certificate: Buffer): QcStatements {
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

export type CertificateUse = 'QWAC' | 'QSEAL'

/** A certificate with its statements and its key. */
export type TppCertificate = {
  readonly use: CertificateUse
  /** The name of its pair; null for the pair of all banks for which no other is chosen. */
  readonly name: string | null
  /** Unchanged PEM: intermediate certificates may follow ours. */
  readonly certificatePem: string
  readonly keyPem: string
  readonly certificate: X509Certificate
  readonly key: KeyObject
  readonly notBefore: Temporal.Instant
  readonly notAfter: Temporal.Instant
  /** Our licence number, e.g. `PSDNO-FSA-123456789`; null where the certificate has none. */
  readonly organizationIdentifier: string | null
  readonly roles: readonly Psd2Role[]
  /** Object identifiers of its extended key usage; null without that extension, which permits every use (RFC 5280). */
  readonly extendedKeyUsage: readonly string[] | null
}

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2'
const ANY_EXTENDED_KEY_USAGE = '2.5.29.37.0'

/** Thrown for a QWAC with which no connection can be made. */
export class ClientAuthenticationError extends Error {}

/** What operators call a certificate, e.g. `QWAC`, or `QWAC 2027` of a named pair. */
export function certificateLabel({ use, name }: Pick<TppCertificate, 'use' | 'name'>): string {
  return name === null ? use : `${use} ${name}`
}

/** Parses a certificate and its key. Throws an error that says what is wrong with them. */
export function parseTppCertificate(
  use: CertificateUse,
  certificatePem: string,
  keyPem: string,
  name: string | null = null,
): TppCertificate {
  const label = certificateLabel({ use, name })
  const certificate = certificateIn(label, certificatePem)
  const key = keyIn(label, keyPem)
  const { type, roles } = parseQcStatements(certificate.raw)
  // Node's name for the extended key usage; undefined without that extension.
  const extendedKeyUsage = certificate.keyUsage ?? null
  if (!certificate.checkPrivateKey(key)) {
    throw new Error(`The key of the ${label} does not belong to its certificate`)
  }
  if (type !== null && type !== use) {
    throw new Error(`The certificate given as ${label} is a ${type}`)
  }
  if (use === 'QSEAL' && key.asymmetricKeyType !== 'rsa') {
    throw new Error(`The key of the ${label} must be RSA, but is ${key.asymmetricKeyType}`)
  }
  if (use === 'QWAC' && !permitsClientAuthentication(extendedKeyUsage)) {
    throw new ClientAuthenticationError(
      `The ${label} does not permit client authentication (${CLIENT_AUTHENTICATION} in its extended key usage): ` +
        'banks reject its connections. Public authorities have stopped issuing it; ' +
        'order a QWAC with client authentication from a qualified trust service provider',
    )
  }
  if (use === 'QWAC') {
    requireConnectable(label, certificatePem, keyPem)
  }
  return {
    use,
    name,
    certificatePem,
    keyPem,
    certificate,
    key,
    notBefore: Temporal.Instant.fromEpochMilliseconds(certificate.validFromDate.getTime()),
    notAfter: Temporal.Instant.fromEpochMilliseconds(certificate.validToDate.getTime()),
    organizationIdentifier: organizationIdentifierOf(certificate),
    roles,
    extendedKeyUsage,
  }
}

/** As connections use it, with the intermediate certificates that follow ours. */
function requireConnectable(label: string, cert: string, key: string): void {
  try {
    createSecureContext({ cert, key })
  } catch (cause) {
    throw new Error(`No connection can be made with the ${label}: what follows its certificate may be damaged`, {
      cause,
    })
  }
}

function permitsClientAuthentication(usages: readonly string[] | null): boolean {
  return usages === null || usages.includes(CLIENT_AUTHENTICATION) || usages.includes(ANY_EXTENDED_KEY_USAGE)
}

/** Whether the certificate is valid at a moment. */
export function isValidAt({ notBefore, notAfter }: TppCertificate, at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(notBefore, at) <= 0 && Temporal.Instant.compare(at, notAfter) < 0
}

function certificateIn(label: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new Error(`The certificate of the ${label} is not an X.509 certificate in PEM`, { cause })
  }
}

function keyIn(label: string, pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) {
    throw new Error(
      `The key of the ${label} is encrypted: provide it as unencrypted PEM that only this program can read`,
    )
  }
  try {
    return createPrivateKey(pem)
  } catch {
    // No cause: it may contain parts of the key.
    throw new Error(`The key of the ${label} is not a private key in PEM`)
  }
}

function organizationIdentifierOf(certificate: X509Certificate): string | null {
  const line = certificate.subject.split('\n').find((part) => part.startsWith('organizationIdentifier='))
  return line?.slice('organizationIdentifier='.length) ?? null
}
