/** Creates the certificates of a sandbox: an authority, our QWAC and QSEAL, and the bank's server certificate. */
import { X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Role, ThirdParty, Validity } from './authority.ts'

export type CertificateFiles = {
  readonly authority: string
  /** The authority's key, which issues further certificates, for test banks. */
  readonly authorityKey: string
  readonly qwac: FilePair
  readonly qseal: FilePair
  readonly bank: FilePair
}
type FilePair = { readonly certificate: string; readonly key: string }

/** The fictitious owner of the sandbox's certificates. */
export const SANDBOX_THIRD_PARTY: ThirdParty = {
  name: 'Havn sandbox',
  organizationIdentifier: 'PSDNO-FSA-123456789',
  roles: ['PSP_PI', 'PSP_AI'] satisfies Role[],
}
/** All names of this machine. */
export const LOCAL_HOSTS = ['localhost', '127.0.0.1'] as const

/** Tolerated clock difference between machines when a certificate becomes valid. */
const BACKDATED_HOURS = 24
/** As long as qualified certificates usually last. */
const VALID_DAYS = 730
/** Certificates with less time left are renewed at a start. */
const RENEWED_BEFORE_DAYS = 45
const OWNER_ONLY = 0o600

export function certificateFilesIn(folder: string): CertificateFiles {
  const pair = (name: string): FilePair => ({
    certificate: join(folder, `${name}.pem`),
    key: join(folder, `${name}.key`),
  })
  const { certificate: authority, key: authorityKey } = pair('authority')
  return { authority, authorityKey, qwac: pair('qwac'), qseal: pair('qseal'), bank: pair('bank') }
}

/** The settings with which a gateway uses the certificates. */
export function gatewaySettingsOf({ qwac, qseal, authority }: CertificateFiles): Readonly<Record<string, string>> {
  return {
    HAVN_QWAC_CERTIFICATE_FILE: qwac.certificate,
    HAVN_QWAC_KEY_FILE: qwac.key,
    HAVN_QSEAL_CERTIFICATE_FILE: qseal.certificate,
    HAVN_QSEAL_KEY_FILE: qseal.key,
    HAVN_BANK_CA_FILE: authority,
  }
}

/** The settings with which the sandbox bank uses and requires the certificates. */
export function bankSettingsOf({ bank, authority }: CertificateFiles): Readonly<Record<string, string>> {
  return {
    HAVN_SANDBOX_XS2A_CERTIFICATE_FILE: bank.certificate,
    HAVN_SANDBOX_XS2A_KEY_FILE: bank.key,
    HAVN_SANDBOX_XS2A_CLIENT_CA_FILE: authority,
  }
}

/** Creates all files in a folder that does not exist yet, atomically. */
export async function createSandboxCertificates(folder: string, now: Temporal.Instant): Promise<void> {
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  const validity = validityAt(now)
  // Most starts find their certificates, and do not load what writes them.
  const { makeAuthority } = await import('./authority.ts')
  const authority = await makeAuthority('Sandbox QTSP CA 1', validity)
  const files = certificateFilesIn(unfinished)
  const pairs = await Promise.all([
    authority.issueQwac(SANDBOX_THIRD_PARTY, LOCAL_HOSTS, validity).then((made) => [files.qwac, made] as const),
    authority.issueQseal(SANDBOX_THIRD_PARTY, validity).then((made) => [files.qseal, made] as const),
    authority.issueServer(LOCAL_HOSTS, validity).then((made) => [files.bank, made] as const),
  ])
  await writeFile(files.authority, authority.certificate)
  await writeFile(files.authorityKey, authority.key, { mode: OWNER_ONLY })
  for (const [pair, made] of pairs) {
    await writeFile(pair.certificate, made.certificate)
    await writeFile(pair.key, made.key, { mode: OWNER_ONLY })
  }
  await rename(unfinished, folder)
}

/** Issues a server certificate for a test bank under the sandbox's authority. Overwrites nothing. */
export async function issueServerCertificate(
  folder: string,
  { hosts, name }: { readonly hosts: readonly string[]; readonly name: string },
  now: Temporal.Instant,
): Promise<FilePair> {
  const files = certificateFilesIn(folder)
  const certificate = await readFile(files.authority, 'utf8')
  const { openAuthority } = await import('./authority.ts')
  const authority = openAuthority({ certificate, key: await readFile(files.authorityKey, 'utf8') })
  const made = await authority.issueServer(hosts, validityAt(now))
  const issued = { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) }
  await writeFile(issued.key, made.key, { mode: OWNER_ONLY, flag: 'wx' })
  await writeFile(issued.certificate, made.certificate, { flag: 'wx' })
  return issued
}

function validityAt(now: Temporal.Instant): Validity {
  return {
    notBefore: now.subtract({ hours: BACKDATED_HOURS }),
    notAfter: now.add({ hours: VALID_DAYS * 24 }),
  }
}

/** Creates the certificates for a start on this machine, unless they exist and do not expire soon. */
export async function ensureSandboxCertificates(folder: string, now: Temporal.Instant): Promise<CertificateFiles> {
  const files = certificateFilesIn(folder)
  if (!(await isStillValid(files, now))) {
    await rm(folder, { recursive: true, force: true })
    await createSandboxCertificates(folder, now)
  }
  return files
}

async function isStillValid(
  { authority, authorityKey, qwac, qseal, bank }: CertificateFiles,
  now: Temporal.Instant,
): Promise<boolean> {
  const until = now.add({ hours: RENEWED_BEFORE_DAYS * 24 })
  const pairs = [qwac, qseal, bank]
  try {
    await Promise.all([authorityKey, ...pairs.map(({ key }) => key)].map((file) => readFile(file)))
    const texts = await Promise.all(
      [authority, ...pairs.map(({ certificate }) => certificate)].map((file) => readFile(file)),
    )
    return texts.every((text) => new X509Certificate(text).validToDate.getTime() > until.epochMilliseconds)
  } catch {
    return false
  }
}
