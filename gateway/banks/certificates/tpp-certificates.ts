/** Loads our certificates for banks at startup and reloads them when their files change. */
import { readFile, stat } from 'node:fs/promises'
import type { CertificateSettings } from '../../config/config.ts'
import type { CertificateSource, PemSource } from '../../config/environment-reader.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import { type CertificateUse, isValidAt, parseTppCertificate, type TppCertificate } from './tpp-certificate.ts'

/** The certificates in use; a new object after every change. */
export type TppIdentity = {
  readonly qwac: TppCertificate | null
  readonly qseal: TppCertificate | null
  /** Additional CA certificates (PEM) that are trusted; null for none. */
  readonly authorities: string | null
}

/** The current certificates. */
export type TppCertificates = {
  current(): TppIdentity
  /** Reloads changed files; also runs every few seconds. */
  look(): Promise<void>
  close(): void
}

type Dependencies = {
  readonly clock: Pick<Clock, 'real'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Called with the certificates in use at startup and after each check of the files. */
  readonly watch?: (identity: TppIdentity) => void
}

/** A loaded certificate or CA list, with the version of its files. */
type Loaded<Value> = { readonly value: Value; readonly stamp: string }
type Loader<Value> = {
  readonly name: string
  readonly files: readonly string[]
  read(): Promise<Value>
}

/** Certificates are replaced days before they expire; checking the files costs next to nothing. */
const REFRESH_MILLISECONDS = 10_000

/** Loads all certificates. Throws for an invalid one, so that the program does not start with it. */
export async function openTppCertificates(
  settings: CertificateSettings,
  dependencies: Dependencies,
): Promise<TppCertificates> {
  const loaders = { qwac: loaderOf('QWAC', settings.qwac), qseal: loaderOf('QSEAL', settings.qseal) }
  const authorities = authoritiesLoader(settings.bankCaFile)
  const loaded = {
    qwac: await loadInitially(loaders.qwac),
    qseal: await loadInitially(loaders.qseal),
    authorities: await loadInitially(authorities),
  }
  let current = identityOf(loaded)
  const { watch = () => undefined } = dependencies
  watch(current)
  const look = async () => {
    const reloaded = {
      qwac: await reloadIfChanged(loaders.qwac, loaded.qwac, dependencies),
      qseal: await reloadIfChanged(loaders.qseal, loaded.qseal, dependencies),
      authorities: await reloadIfChanged(authorities, loaded.authorities, dependencies),
    }
    const isNew =
      reloaded.qwac.value !== loaded.qwac.value ||
      reloaded.qseal.value !== loaded.qseal.value ||
      reloaded.authorities.value !== loaded.authorities.value
    Object.assign(loaded, reloaded)
    current = isNew ? identityOf(loaded) : current
    watch(current)
  }
  const timer = setInterval(() => void look(), REFRESH_MILLISECONDS).unref()
  return { current: () => current, look, close: () => clearInterval(timer) }
}

function identityOf(loaded: {
  readonly qwac: Loaded<TppCertificate | null>
  readonly qseal: Loaded<TppCertificate | null>
  readonly authorities: Loaded<string | null>
}): TppIdentity {
  return { qwac: loaded.qwac.value, qseal: loaded.qseal.value, authorities: loaded.authorities.value }
}

function loaderOf(use: CertificateUse, source: CertificateSource | null): Loader<TppCertificate | null> {
  return {
    name: use,
    files: source === null ? [] : [source.certificate, source.key].flatMap((part) => ('file' in part ? part.file : [])),
    read: async () =>
      source === null ? null : parseTppCertificate(use, await textOf(source.certificate), await textOf(source.key)),
  }
}

function authoritiesLoader(file: string | null): Loader<string | null> {
  return {
    name: 'list of authorities',
    files: file === null ? [] : [file],
    read: async () => {
      const text = file === null ? null : await readFile(file, 'utf8')
      if (text !== null && !text.includes('-----BEGIN CERTIFICATE-----')) {
        throw new Error(`${file} contains no certificate in PEM`)
      }
      return text
    },
  }
}

async function textOf(source: PemSource): Promise<string> {
  return 'file' in source ? await readFile(source.file, 'utf8') : source.text
}

async function loadInitially<Value>(loader: Loader<Value>): Promise<Loaded<Value>> {
  const stamp = await fileVersionOf(loader)
  return { stamp, value: await loader.read() }
}

/** The new value, or the old one: an invalid or half-written file must not interrupt the connections to banks. */
async function reloadIfChanged<Value extends TppCertificate | string | null>(
  loader: Loader<Value>,
  loaded: Loaded<Value>,
  { clock, log }: Dependencies,
): Promise<Loaded<Value>> {
  const stamp = await fileVersionOf(loader)
  if (stamp === loaded.stamp) {
    return loaded
  }
  try {
    const value = await loader.read()
    requireNoDowngrade(value, loaded.value, clock.real())
    log.info({ certificate: loader.name }, 'a certificate was reloaded')
    return { stamp, value }
  } catch (error) {
    log.error({ certificate: loader.name, error }, 'a changed certificate is invalid; the previous one stays in use')
    return { stamp, value: loaded.value }
  }
}

function requireNoDowngrade(
  value: TppCertificate | string | null,
  old: TppCertificate | string | null,
  now: Temporal.Instant,
): void {
  const usable = (one: typeof value) => typeof one === 'object' && one !== null && isValidAt(one, now)
  if (usable(old) && !usable(value)) {
    throw new Error('The new certificate is not valid at present, but the current one is')
  }
}

/** Changes with any of the files; a missing file also has a version. */
async function fileVersionOf({ files }: Pick<Loader<unknown>, 'files'>): Promise<string> {
  const stamps = files.map(async (file) => {
    const { mtimeMs = 0, size = 0, ino = 0 } = (await stat(file).catch(() => undefined)) ?? {}
    return `${mtimeMs} ${size} ${ino}`
  })
  return (await Promise.all(stamps)).join(', ')
}
