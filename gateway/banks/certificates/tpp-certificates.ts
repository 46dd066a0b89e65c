/** Holds our certificates for banks: loaded at startup, again when their files change, and by name where a bank has its own. */
import type { CertificateSettings } from '../../config/bank-settings.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import {
  authoritiesLoader,
  certificateLoader,
  fileVersionOf,
  listNamedPairs,
  openFileReader,
  type PairSource,
} from './certificate-files.ts'
import type { TppCertificate } from './tpp-certificate.ts'

/** A pair in use; a new object after every change. */
export type TppIdentity = {
  /** Null for the pair of all banks for which no other is chosen. */
  readonly name: string | null
  readonly qwac: TppCertificate | null
  readonly qseal: TppCertificate | null
  /** Additional CA certificates (PEM) that are trusted; null for none. */
  readonly authorities: string | null
}

export type TppCertificates = {
  /** The current pairs by name, the one without a name first. */
  readonly byName: ReadonlyMap<string | null, TppIdentity>
  /** From so many days before their expiry on, operators are warned. */
  readonly warningDays: number
  /** Reloads changed files; also runs every few seconds. */
  look(): Promise<void>
  close(): void
}

type Dependencies = {
  readonly clock: Pick<Clock, 'real'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Called with the certificates in use at startup and after each check of the files. */
  readonly watch?: (identities: readonly TppIdentity[]) => void
}

/** Certificates are replaced days before they expire; checking the files costs next to nothing. */
const REFRESH_MILLISECONDS = 10_000

/** Loads all certificates. Throws for an invalid one, so that the program does not start with it. */
export async function openTppCertificates(
  settings: CertificateSettings,
  dependencies: Dependencies,
): Promise<TppCertificates> {
  const { log, watch = () => undefined } = dependencies
  const readCertificate = openFileReader<TppCertificate | null>(dependencies)
  const readAuthorities = openFileReader<string | null>(dependencies)
  const sources = new Map<string | null, PairSource>()
  const identities = new Map<string | null, TppIdentity>()
  let authorities = await readAuthorities(authoritiesLoader(settings.bankCaFile))
  const load = async (source: PairSource) => {
    const { name } = source
    const [ofTls, ofMessages] = loadersOf(source)
    const qwac = await readCertificate(ofTls)
    const qseal = await readCertificate(ofMessages)
    const before = identities.get(name)
    if (before?.qwac !== qwac || before.qseal !== qseal || before.authorities !== authorities) {
      identities.set(name, { name, qwac, qseal, authorities })
    }
    sources.set(name, source)
  }
  const own = { name: null, qwac: settings.qwac, qseal: settings.qseal }
  for (const source of [own, ...(await listNamedPairs(settings.certificatesFolder))]) {
    await load(source)
  }
  watch([...identities.values()])
  const findNewPairs = newPairFinder(settings.certificatesFolder, sources, log)
  const look = async () => {
    authorities = await readAuthorities(authoritiesLoader(settings.bankCaFile))
    for (const source of sources.values()) {
      await load(source)
    }
    await findNewPairs(load)
    watch([...identities.values()])
  }
  const timer = setInterval(() => void look(), REFRESH_MILLISECONDS).unref()
  return {
    byName: identities,
    warningDays: settings.certificateWarningDays,
    look,
    close: () => clearInterval(timer),
  }
}

function loadersOf(source: PairSource) {
  return [certificateLoader('QWAC', source), certificateLoader('QSEAL', source)] as const
}

/** Loads pairs that were added while the program runs. An invalid one is logged once per version of its files. */
function newPairFinder(folder: string | null, known: ReadonlyMap<string | null, PairSource>, log: Dependencies['log']) {
  const rejected = new Map<string | null, string>()
  return async (load: (source: PairSource) => Promise<void>): Promise<void> => {
    const found = await listNamedPairs(folder).catch((error: unknown) => {
      log.error({ folder, error }, 'the folder of certificates cannot be read; those that were read stay in use')
      return []
    })
    for (const source of found.filter(({ name }) => !known.has(name))) {
      const version = await fileVersionOf(loadersOf(source).flatMap(({ files }) => files))
      try {
        await load(source)
        log.info({ certificate: source.name }, 'a pair of certificates was added')
      } catch (error) {
        if (rejected.get(source.name) !== version) {
          rejected.set(source.name, version)
          log.error({ certificate: source.name, error }, 'a new pair of certificates is invalid and not used')
        }
      }
    }
  }
}
