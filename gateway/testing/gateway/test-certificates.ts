/** Makes the certificates of one test: an authority of its own, and our QWAC and QSEAL as the test wants them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Authority,
  type Identity,
  makeAuthority,
  type ThirdParty,
  type Validity,
} from '../../../launcher/certificates/authority.ts'
import { SANDBOX_THIRD_PARTY, THIS_MACHINE } from '../../../launcher/certificates/sandbox-certificates.ts'
import type { TrustSettings } from '../../../sandbox/bank/identity/mtls-server.ts'

/** What a test may change of a certificate. */
export type Wishes = {
  readonly owner?: Partial<ThirdParty>
  readonly validity?: Validity
  /** Another authority than the one that the bank believes. */
  readonly issuer?: Authority
}

/** The certificates, in a folder that is removed at the end. */
export type TestCertificates = {
  readonly authority: Authority
  /** What the sandbox bank is started with. */
  readonly trust: TrustSettings
  /** The gateway's settings; they name files of the folder. */
  readonly settings: Readonly<Record<string, string>>
  qwac(wishes?: Wishes): Promise<Identity>
  qseal(wishes?: Wishes): Promise<Identity>
  /** Puts an identity where the settings say, as whoever renews it would. */
  put(use: 'qwac' | 'qseal', identity: Identity): Promise<void>
  remove(): Promise<void>
}

/** From yesterday, for so many days from now. */
export function validFor(days: number): Validity {
  const now = Temporal.Now.instant()
  return { notBefore: now.subtract({ hours: 24 * 90 }), notAfter: now.add({ hours: 24 * days }) }
}

/** Makes an authority, and a good set. */
export async function testCertificates(): Promise<TestCertificates> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-certificates-'))
  const authority = await makeAuthority('Test QTSP CA 1', validFor(100))
  const at = (name: string) => join(folder, name)
  const owner = (wishes: Wishes) => ({ ...SANDBOX_THIRD_PARTY, ...wishes.owner })
  const qwac = ({ validity = validFor(90), issuer = authority, ...wishes }: Wishes = {}) =>
    issuer.issueQwac(owner(wishes), THIS_MACHINE, validity)
  const qseal = ({ validity = validFor(90), issuer = authority, ...wishes }: Wishes = {}) =>
    issuer.issueQseal(owner(wishes), validity)
  const put = async (use: 'qwac' | 'qseal', { certificate, key }: Identity) => {
    await writeFile(at(`${use}.pem`), certificate)
    await writeFile(at(`${use}.key`), key)
  }
  const [server] = await Promise.all([
    authority.issueServer(THIS_MACHINE, validFor(90)),
    qwac().then((made) => put('qwac', made)),
    qseal().then((made) => put('qseal', made)),
    writeFile(at('authority.pem'), authority.certificate),
  ])
  return {
    authority,
    qwac,
    qseal,
    put,
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
