/** Keeps the certificates by which banks know us: read at start, read again when their files change. */
import { readFile, stat } from 'node:fs/promises'
import type { CertificateSettings } from '../../config/config.ts'
import type { CertificateSource, PemSource } from '../../config/environment-reader.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import { type CertificateUse, isValidAt, type OwnCertificate, readOwnCertificate } from './tpp-certificate.ts'

/** What is in use at a moment; a new object whenever anything of it has changed. */
export type BankIdentity = {
  readonly qwac: OwnCertificate | null
  readonly qseal: OwnCertificate | null
  /** Authorities (PEM) whose servers are trusted besides everybody's; null for none. */
  readonly authorities: string | null
}

/** The certificates, as they are now. */
export type Certificates = {
  current(): BankIdentity
  /** Looks whether files have changed; called by itself every few seconds. */
  look(): Promise<void>
  close(): void
}

type Surroundings = {
  readonly clock: Pick<Clock, 'real'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Told of what is in use: at start, at each change, and at each look. */
  readonly watch?: (identity: BankIdentity) => void
}

/** One certificate or list of authorities, with how its files looked when it was last read. */
type Kept<Value> = { readonly value: Value; readonly stamp: string }
type Loader<Value> = {
  readonly name: string
  readonly files: readonly string[]
  read(): Promise<Value>
}

/** Certificates are changed days before they end: looking this often is early enough, and costs next to nothing. */
const LOOK_MILLISECONDS = 10_000

/** Reads everything; whatever is wrong with it is thrown, so that a program does not start with it. */
export async function openCertificates(
  settings: CertificateSettings,
  surroundings: Surroundings,
): Promise<Certificates> {
  const loaders = { qwac: loaderOf('QWAC', settings.qwac), qseal: loaderOf('QSEAL', settings.qseal) }
  const authorities = authoritiesLoader(settings.bankCaFile)
  const kept = {
    qwac: await first(loaders.qwac),
    qseal: await first(loaders.qseal),
    authorities: await first(authorities),
  }
  let current = identityOf(kept)
  const { watch = () => undefined } = surroundings
  watch(current)
  const look = async () => {
    const found = {
      qwac: await again(loaders.qwac, kept.qwac, surroundings),
      qseal: await again(loaders.qseal, kept.qseal, surroundings),
      authorities: await again(authorities, kept.authorities, surroundings),
    }
    const isNew =
      found.qwac.value !== kept.qwac.value ||
      found.qseal.value !== kept.qseal.value ||
      found.authorities.value !== kept.authorities.value
    Object.assign(kept, found)
    current = isNew ? identityOf(kept) : current
    watch(current)
  }
  const timer = setInterval(() => void look(), LOOK_MILLISECONDS).unref()
  return { current: () => current, look, close: () => clearInterval(timer) }
}

function identityOf(kept: {
  readonly qwac: Kept<OwnCertificate | null>
  readonly qseal: Kept<OwnCertificate | null>
  readonly authorities: Kept<string | null>
}): BankIdentity {
  return { qwac: kept.qwac.value, qseal: kept.qseal.value, authorities: kept.authorities.value }
}

function loaderOf(use: CertificateUse, source: CertificateSource | null): Loader<OwnCertificate | null> {
  return {
    name: use,
    files: source === null ? [] : [source.certificate, source.key].flatMap((part) => ('file' in part ? part.file : [])),
    read: async () =>
      source === null ? null : readOwnCertificate(use, await textOf(source.certificate), await textOf(source.key)),
  }
}

function authoritiesLoader(file: string | null): Loader<string | null> {
  return {
    name: 'list of authorities',
    files: file === null ? [] : [file],
    read: async () => {
      const text = file === null ? null : await readFile(file, 'utf8')
      if (text !== null && !text.includes('-----BEGIN CERTIFICATE-----')) {
        throw new Error(`${file} holds no certificate in PEM`)
      }
      return text
    },
  }
}

async function textOf(source: PemSource): Promise<string> {
  return 'file' in source ? await readFile(source.file, 'utf8') : source.text
}

async function first<Value>(loader: Loader<Value>): Promise<Kept<Value>> {
  const stamp = await stampOf(loader)
  return { stamp, value: await loader.read() }
}

/** What is new, or what is kept: a file that is broken, or half of a change, must not take the line to the banks down. */
async function again<Value extends OwnCertificate | string | null>(
  loader: Loader<Value>,
  kept: Kept<Value>,
  { clock, log }: Surroundings,
): Promise<Kept<Value>> {
  const stamp = await stampOf(loader)
  if (stamp === kept.stamp) {
    return kept
  }
  try {
    const value = await loader.read()
    requireNoStepBack(value, kept.value, clock.real())
    log.info({ certificate: loader.name }, 'a certificate was read anew')
    return { stamp, value }
  } catch (error) {
    log.error({ certificate: loader.name, error }, 'a changed certificate is not usable; the one before stays in use')
    return { stamp, value: kept.value }
  }
}

function requireNoStepBack(
  value: OwnCertificate | string | null,
  old: OwnCertificate | string | null,
  now: Temporal.Instant,
): void {
  const usable = (one: typeof value) => typeof one === 'object' && one !== null && isValidAt(one, now)
  if (usable(old) && !usable(value)) {
    throw new Error('The new certificate is not valid at present, and the one before is')
  }
}

/** Changes with any of the files; one that is missing has a stamp too. */
async function stampOf({ files }: Pick<Loader<unknown>, 'files'>): Promise<string> {
  const stamps = files.map(async (file) => {
    const { mtimeMs = 0, size = 0, ino = 0 } = (await stat(file).catch(() => undefined)) ?? {}
    return `${mtimeMs} ${size} ${ino}`
  })
  return (await Promise.all(stamps)).join(', ')
}
