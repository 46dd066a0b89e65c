/** Reads certificates and lists of authorities from files, again whenever they change, and never an invalid one. */
import { X509Certificate } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CertificateSource } from '../../config/bank-settings.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { PemSource } from '../../platform/setting.ts'
import {
  type CertificateUse,
  certificateLabel,
  isValidAt,
  parseTppCertificate,
  type TppCertificate,
} from './tpp-certificate.ts'

/** How a certificate or a list of authorities is read. */
type Loader<Value> = {
  readonly label: string
  readonly files: readonly string[]
  read(): Promise<Value>
}

/** The sources of one pair; the one without a name is used by banks for which no other is chosen. */
export type PairSource = {
  readonly name: string | null
  readonly qwac: CertificateSource | null
  readonly qseal: CertificateSource | null
}

const PAIR_FILE = /^([A-Za-z0-9][A-Za-z0-9_-]{0,39})\.(?:qwac|qseal)\.(?:pem|key)$/

/** The named pairs in a folder: `<name>.qwac.pem`, `.qwac.key`, `.qseal.pem` and `.qseal.key`. Other files are ignored. */
export async function listNamedPairs(folder: string | null): Promise<readonly PairSource[]> {
  if (folder === null) {
    return []
  }
  const names = new Set((await readdir(folder)).flatMap((file) => PAIR_FILE.exec(file)?.[1] ?? []))
  const source = (name: string, use: string): CertificateSource => ({
    certificate: { file: join(folder, `${name}.${use}.pem`) },
    key: { file: join(folder, `${name}.${use}.key`) },
  })
  return [...names].toSorted().map((name) => ({ name, qwac: source(name, 'qwac'), qseal: source(name, 'qseal') }))
}

export function certificateLoader(use: CertificateUse, { name, ...pair }: PairSource): Loader<TppCertificate | null> {
  const source = use === 'QWAC' ? pair.qwac : pair.qseal
  return {
    label: certificateLabel({ use, name }),
    files: source === null ? [] : [source.certificate, source.key].flatMap((part) => ('file' in part ? part.file : [])),
    read: async () =>
      source === null
        ? null
        : parseTppCertificate(use, await textOf(source.certificate), await textOf(source.key), name),
  }
}

export function authoritiesLoader(file: string | null): Loader<string | null> {
  return {
    label: 'list of authorities',
    files: file === null ? [] : [file],
    read: async () => {
      if (file === null) {
        return null
      }
      const text = await readFile(file, 'utf8')
      requireCertificates(text, file)
      return text
    },
  }
}

const PEM_BEGIN = '-----BEGIN CERTIFICATE-----'

/** OpenSSL would leave out a damaged certificate, and all that follow it, without an error. */
function requireCertificates(text: string, file: string): void {
  const [, ...certificates] = text.split(PEM_BEGIN)
  if (certificates.length === 0) {
    throw new Error(`${file} contains no certificate in PEM`)
  }
  try {
    for (const certificate of certificates) {
      new X509Certificate(PEM_BEGIN + certificate)
    }
  } catch (cause) {
    throw new Error(`${file} contains a damaged certificate`, { cause })
  }
}

async function textOf(source: PemSource): Promise<string> {
  return 'file' in source ? await readFile(source.file, 'utf8') : source.text
}

/**
 * Reads what loaders load, again whenever their files have changed. The first time it throws for an invalid file; later
 * the old value stays: an invalid or half-written file must not interrupt the connections to banks.
 */
export function openFileReader<Value extends TppCertificate | string | null>({
  clock,
  log,
}: {
  readonly clock: Pick<Clock, 'real'>
  readonly log: Pick<Log, 'info' | 'error'>
}): (loader: Loader<Value>) => Promise<Value> {
  const loaded = new Map<string, { readonly value: Value; readonly version: string }>()
  return async ({ label, files, read }) => {
    const version = await fileVersionOf(files)
    const old = loaded.get(label)
    if (old?.version === version) {
      return old.value
    }
    try {
      const value = await read()
      if (old !== undefined) {
        requireNoDowngrade(value, old.value, clock.real())
        log.info({ certificate: label }, 'a certificate was reloaded')
      }
      loaded.set(label, { value, version })
      return value
    } catch (error) {
      if (old === undefined) {
        throw error
      }
      log.error({ certificate: label, error }, 'a changed certificate is invalid; the previous one stays in use')
      loaded.set(label, { value: old.value, version })
      return old.value
    }
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
export async function fileVersionOf(files: readonly string[]): Promise<string> {
  const versions = files.map(async (file) => {
    const { mtimeMs = 0, size = 0, ino = 0 } = (await stat(file).catch(() => undefined)) ?? {}
    return `${mtimeMs} ${size} ${ino}`
  })
  return (await Promise.all(versions)).join(', ')
}
