/** Makes an authority of its own for tests, and certificates that it, or nobody, has signed; with the program openssl. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A server's identity, in PEM. */
export type Identity = { readonly key: string; readonly cert: string }

/** An authority that only tests trust. */
export type TestAuthority = {
  /** What trusts it must be given this. */
  readonly certificate: string
  /** For names and addresses, e.g. `DNS:localhost` and `IP:127.0.0.1`. */
  issue(names: readonly string[], wanted?: { readonly expired: boolean }): Promise<Identity>
  remove(): Promise<void>
}

/** This machine, however it is called. */
export const THIS_MACHINE = ['DNS:localhost', 'IP:127.0.0.1', 'IP:0:0:0:0:0:0:0:1'] as const

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'] as const
const VALID = ['-days', '30'] as const
/** Ended a day before it began. */
const EXPIRED = ['-days', '-1'] as const

/** Keeps its key in a folder of its own until removed. */
export async function makeTestAuthority(): Promise<TestAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-authority-'))
  const [key, cert] = [join(folder, 'authority.key'), join(folder, 'authority.pem')]
  const named = ['-subj', '/CN=Havn test authority', '-addext', 'basicConstraints=critical,CA:TRUE']
  await openssl('req', '-x509', ...NEW_KEY, ...named, ...VALID, '-keyout', key, '-out', cert)
  let issued = 0
  return {
    certificate: await readFile(cert, 'utf8'),
    issue: async (names, { expired } = { expired: false }) => {
      issued += 1
      return await issue(join(folder, String(issued)), { key, cert }, names, expired ? EXPIRED : VALID)
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Asks for a certificate and signs it; files are named after `path`. */
async function issue(
  path: string,
  signer: Identity,
  names: readonly string[],
  validity: readonly string[],
): Promise<Identity> {
  const [key, request, extensions, cert] = [`${path}.key`, `${path}.csr`, `${path}.ext`, `${path}.pem`] as const
  await writeFile(extensions, `subjectAltName=${names.join(',')}\n`)
  await openssl('req', '-new', ...NEW_KEY, '-subj', '/CN=Receiver', '-keyout', key, '-out', request)
  const signing = ['-CA', signer.cert, '-CAkey', signer.key, '-CAcreateserial', '-extfile', extensions]
  await openssl('x509', '-req', '-in', request, ...signing, ...validity, '-out', cert)
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
}

async function openssl(...words: readonly string[]): Promise<void> {
  await promisify(execFile)('openssl', words)
}
