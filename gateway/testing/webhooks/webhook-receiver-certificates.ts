/** Creates a test CA, and certificates that are signed by it or self-signed, with openssl. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A server's identity, in PEM. */
export type Identity = { readonly key: string; readonly cert: string }

/** A CA that only tests trust. */
export type TestAuthority = {
  /** The CA certificate for clients. */
  readonly certificate: string
  /** Creates a certificate for names and addresses, e.g. `DNS:localhost` and `IP:127.0.0.1`. */
  issue(names: readonly string[], wanted?: { readonly expired: boolean }): Promise<Identity>
  remove(): Promise<void>
}

/** All names of this machine. */
export const THIS_MACHINE = ['DNS:localhost', 'IP:127.0.0.1', 'IP:0:0:0:0:0:0:0:1'] as const

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'] as const
const VALID = ['-days', '30'] as const
/** Expired: ends a day before its start. */
const EXPIRED = ['-days', '-1'] as const

/** Creates the CA with a temporary folder for its key. */
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

/** Creates a certificate request and signs it; file names start with `path`. */
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
