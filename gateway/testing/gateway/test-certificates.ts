/** Creates certificates for a test: a CA, and our QWAC and QSEAL with the requested properties. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Authority,
  type Identity,
  makeAuthority,
  type ThirdParty,
  type Validity,
} from '../../../launcher/certificates/authority.ts'
import { LOCAL_HOSTS, SANDBOX_THIRD_PARTY } from '../../../launcher/certificates/sandbox-certificates.ts'
import { type KeyPair, newKeyPair } from '../../../launcher/certificates/write-certificate.ts'
import type { MtlsSettings } from '../../../sandbox/bank/identity/mtls-server.ts'

/** Properties of a certificate that a test may change. */
export type CertificateOptions = {
  readonly owner?: Partial<ThirdParty>
  readonly validity?: Validity
  /** Whether it is signed by a CA that the bank does not trust. */
  readonly issuer?: Authority
  /** The extended key usage of a QWAC; null for none. */
  readonly usages?: readonly string[] | null
}

/** The certificates, in a temporary folder. */
export type TestCertificates = {
  readonly authority: Authority
  /** The settings of the sandbox bank. */
  readonly trust: MtlsSettings
  /** The gateway's settings, with paths of the files. */
  readonly settings: Readonly<Record<string, string>>
  qwac(wishes?: CertificateOptions): Promise<Identity>
  qseal(wishes?: CertificateOptions): Promise<Identity>
  /** Replaces a certificate file, as a renewal does. */
  put(use: 'qwac' | 'qseal', identity: Identity): Promise<void>
  /** The setting of a folder with named pairs, and how a pair is added to it or replaced. */
  readonly folder: string
  putNamed(name: string, pair: { readonly qwac?: Identity; readonly qseal?: Identity }): Promise<void>
  clearNamed(): Promise<void>
  /** Writes the first files again: keys take long to generate. */
  restore(): Promise<void>
  remove(): Promise<void>
}

/** Valid from yesterday until so many days from now. */
export function validFor(days: number): Validity {
  const now = Temporal.Now.instant()
  return { notBefore: now.subtract({ hours: 24 * 90 }), notAfter: now.add({ hours: 24 * days }) }
}

/** A CA and four certificates have different ones, as have those that follow one another. */
const KEY_PAIRS = 7
const keyPairs = new Map<number, Promise<KeyPair>>()
let keyPairsUsed = 0

/** A key pair of this process that was used some certificates ago: to generate one takes a twentieth of a second. */
function reusedKeyPair(): Promise<KeyPair> {
  keyPairsUsed += 1
  return keyPairs.getOrInsertComputed(keyPairsUsed % KEY_PAIRS, newKeyPair)
}

/** Creates a CA and valid certificates. */
export async function testCertificates(): Promise<TestCertificates> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-certificates-'))
  const authority = await makeAuthority('Test QTSP CA 1', validFor(100), reusedKeyPair)
  const at = (name: string) => join(folder, name)
  const owner = (wishes: CertificateOptions) => ({ ...SANDBOX_THIRD_PARTY, ...wishes.owner })
  const qwac = ({ validity = validFor(90), issuer = authority, ...wishes }: CertificateOptions = {}) =>
    issuer.issueQwac(owner(wishes), LOCAL_HOSTS, validity, wishes.usages)
  const qseal = ({ validity = validFor(90), issuer = authority, ...wishes }: CertificateOptions = {}) =>
    issuer.issueQseal(owner(wishes), validity)
  const put = async (use: 'qwac' | 'qseal', { certificate, key }: Identity) => {
    await writeFile(at(`${use}.pem`), certificate)
    await writeFile(at(`${use}.key`), key)
  }
  const named = at('named')
  await mkdir(named)
  const putNamed: TestCertificates['putNamed'] = async (name, pair) => {
    for (const [use, identity] of Object.entries(pair)) {
      await writeFile(join(named, `${name}.${use}.pem`), identity.certificate)
      await writeFile(join(named, `${name}.${use}.key`), identity.key)
    }
  }
  const [server, firstQwac, firstQseal] = await Promise.all([
    authority.issueServer(LOCAL_HOSTS, validFor(90)),
    qwac(),
    qseal(),
  ])
  const restore = async () => {
    await put('qwac', firstQwac)
    await put('qseal', firstQseal)
    await writeFile(at('authority.pem'), authority.certificate)
  }
  await restore()
  return {
    authority,
    qwac,
    qseal,
    put,
    putNamed,
    clearNamed: async () => {
      await rm(named, { recursive: true })
      await mkdir(named)
    },
    folder: named,
    restore,
    trust: { ...server, clientAuthorities: authority.certificate },
    settings: {
      HAVN_QWAC_CERTIFICATE_FILE: at('qwac.pem'),
      HAVN_QWAC_KEY_FILE: at('qwac.key'),
      HAVN_QSEAL_CERTIFICATE_FILE: at('qseal.pem'),
      HAVN_QSEAL_KEY_FILE: at('qseal.key'),
      HAVN_BANK_CA_FILE: at('authority.pem'),
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
