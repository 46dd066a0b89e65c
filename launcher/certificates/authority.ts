/** A sandbox certificate authority: issues eIDAS certificates (ETSI TS 119 495) and server certificates. */
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { type BaseBlock, BitString, Boolean as BooleanValue, OctetString, Primitive, Utf8String } from 'asn1js'
import {
  extension,
  type KeyPair,
  keyId,
  type Name,
  newKeyPair,
  oid,
  sequence,
  writeCertificate,
} from './write-certificate.ts'

/** A certificate and its key, in PEM. */
export type Identity = { readonly certificate: string; readonly key: string }

/** The validity period of a certificate. */
export type Validity = { readonly notBefore: Temporal.Instant; readonly notAfter: Temporal.Instant }

/** Roles of payment service providers (PSD2). */
export type Role = keyof typeof OID_OF_ROLE

/** A third-party provider as named in its certificates. */
export type ThirdParty = {
  readonly name: string
  /** For example `PSDNO-FSA-123456789`. */
  readonly organizationIdentifier: string
  readonly roles: readonly Role[]
}

/** Issues certificates. */
export type Authority = Identity & {
  /** For connections (QWAC); these host names are in its subjectAltName. Null: without an extended key usage. */
  issueQwac(
    owner: ThirdParty,
    hosts: readonly string[],
    validity: Validity,
    usages?: readonly string[] | null,
  ): Promise<Identity>
  /** For signing messages (QSEAL). */
  issueQseal(owner: ThirdParty, validity: Validity): Promise<Identity>
  issueServer(hosts: readonly string[], validity: Validity): Promise<Identity>
}

const OID_OF_ROLE = {
  PSP_AS: '0.4.0.19495.1.1',
  PSP_PI: '0.4.0.19495.1.2',
  PSP_AI: '0.4.0.19495.1.3',
  PSP_IC: '0.4.0.19495.1.4',
} as const
const OID = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  qcStatements: '1.3.6.1.5.5.7.1.3',
  qcCompliance: '0.4.0.1862.1.1',
  qcType: '0.4.0.1862.1.6',
  qcTypeSeal: '0.4.0.1862.1.6.2',
  qcTypeWeb: '0.4.0.1862.1.6.3',
  psd2: '0.4.0.19495.2',
} as const
/** Bits of keyUsage from the left, with the number of unused bits of the byte. */
const USAGE = {
  digitalSignature: usage(0x80, 7),
  signatureAndCommitment: usage(0xc0, 6),
  certificatesAndLists: usage(0x06, 1),
} as const
/** Tags of subjectAltName and authorityKeyIdentifier (RFC 5280). */
const DNS_NAME = 2
const IP_ADDRESS = 7
const KEY_IDENTIFIER = 0
const CRITICAL = { critical: true }

/** The fictitious authority that supervises the sandbox's third party. */
const SUPERVISOR = { name: 'Finanstilsynet', id: 'NO-FSA' } as const

/** Creates an authority with this name; each of its certificates has a key pair from `createKeyPair`. */
export async function makeAuthority(
  commonName: string,
  validity: Validity,
  createKeyPair = newKeyPair,
): Promise<Authority> {
  const own = await createKeyPair()
  const name = nameOfAuthority(commonName)
  const isAuthority = [
    extension(OID.basicConstraints, sequence(new BooleanValue({ value: true })), CRITICAL),
    extension(OID.keyUsage, USAGE.certificatesAndLists, CRITICAL),
    ...keyNames(own, own),
  ]
  const content = { subject: name, issuer: name, ...validity, extensions: isAuthority }
  return authorityOf({ name, own, createKeyPair }, writeCertificate(content, own.publicKey, own.privateKey))
}

/** Loads an existing authority. Throws when key and certificate do not match. */
export function openAuthority({ certificate, key }: Identity): Authority {
  const privateKey = createPrivateKey(key)
  const own = { privateKey, publicKey: createPublicKey(privateKey) }
  const shown = new X509Certificate(certificate)
  const commonName = /^CN=(.+)$/m.exec(shown.subject)?.[1]
  if (commonName === undefined || !shown.checkPrivateKey(privateKey)) {
    throw new Error("The authority's certificate and key do not belong together")
  }
  return authorityOf({ name: nameOfAuthority(commonName), own, createKeyPair: newKeyPair }, certificate)
}

function nameOfAuthority(commonName: string): Name {
  return [
    ['C', 'NO'],
    ['O', 'Sandbox Trust AS'],
    ['OU', 'Sandbox QTSP'],
    ['CN', commonName],
  ]
}

type Issuer = { readonly name: Name; readonly own: KeyPair; readonly createKeyPair: typeof newKeyPair }

function authorityOf({ name, own, createKeyPair }: Issuer, certificate: string): Authority {
  const issue = async (subject: Name, extensions: readonly BaseBlock[], valid: Validity): Promise<Identity> => {
    const pair = await createKeyPair()
    const reported = { subject, issuer: name, ...valid, extensions: [...extensions, ...keyNames(pair, own)] }
    return { certificate: writeCertificate(reported, pair.publicKey, own.privateKey), key: pemOf(pair) }
  }
  return {
    certificate,
    key: pemOf(own),
    issueQwac: (owner, hosts, valid, usages = [OID.clientAuth, OID.serverAuth]) => {
      const extensions = [...serverParts(hosts, usages), qcStatements(OID.qcTypeWeb, owner)]
      return issue(nameOf(owner, hosts[0] ?? owner.name), extensions, valid)
    },
    issueQseal: (owner, valid) => {
      const usage = extension(OID.keyUsage, USAGE.signatureAndCommitment, CRITICAL)
      return issue(nameOf(owner, owner.name), [usage, qcStatements(OID.qcTypeSeal, owner)], valid)
    },
    issueServer: (hosts, valid) => issue([['CN', hosts[0] ?? 'bank']], serverParts(hosts, [OID.serverAuth]), valid),
  }
}

function pemOf({ privateKey }: KeyPair): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function nameOf({ name, organizationIdentifier }: ThirdParty, commonName: string): Name {
  return [
    ['C', 'NO'],
    ['O', name],
    ['organizationIdentifier', organizationIdentifier],
    ['CN', commonName],
  ]
}

/** Of a certificate for connections. */
function serverParts(hosts: readonly string[], usages: readonly string[] | null): readonly BaseBlock[] {
  return [
    extension(OID.keyUsage, USAGE.digitalSignature, CRITICAL),
    ...(usages === null ? [] : [extension(OID.extendedKeyUsage, sequence(...usages.map((usage) => oid(usage))))]),
    hostNames(hosts),
  ]
}

function hostNames(hosts: readonly string[]): BaseBlock {
  const names = hosts.map((host) =>
    isIP(host) === 4
      ? tagged(IP_ADDRESS, Buffer.from(host.split('.').map(Number)))
      : tagged(DNS_NAME, Buffer.from(host, 'latin1')),
  )
  return extension(OID.subjectAltName, sequence(...names))
}

/** The qcStatements: a qualified certificate of this type, its owner's PSD2 roles, and the supervising authority. */
function qcStatements(type: string, { roles }: ThirdParty): BaseBlock {
  const licensed = roles.map((role) => sequence(oid(OID_OF_ROLE[role]), text(role)))
  return extension(
    OID.qcStatements,
    sequence(
      sequence(oid(OID.qcCompliance)),
      sequence(oid(OID.qcType), sequence(oid(type))),
      sequence(oid(OID.psd2), sequence(sequence(...licensed), text(SUPERVISOR.name), text(SUPERVISOR.id))),
    ),
  )
}

function keyNames(owner: KeyPair, issuer: KeyPair): readonly BaseBlock[] {
  return [
    extension(OID.subjectKeyIdentifier, new OctetString({ valueHex: keyId(owner.publicKey) })),
    extension(OID.authorityKeyIdentifier, sequence(tagged(KEY_IDENTIFIER, keyId(issuer.publicKey)))),
  ]
}

function usage(byte: number, unusedBits: number): BitString {
  return new BitString({ unusedBits, valueHex: Buffer.from([byte]) })
}

function text(value: string): Utf8String {
  return new Utf8String({ value })
}

/** A value whose context says what it is. */
function tagged(tagNumber: number, valueHex: Buffer): Primitive {
  return new Primitive({ idBlock: { tagClass: 3, tagNumber }, valueHex })
}
