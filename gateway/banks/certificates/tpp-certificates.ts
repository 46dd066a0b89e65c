/** Holds our certificates for banks: loaded at startup, again when their files change, and by name where a bank has its own. */
import type { CertificateSettings } from '../../config/bank-settings.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import {
  authoritiesLoader,
  certificateLoader,
  fileVersionOf,
  type Loaded,
  listNamedPairs,
  loadInitially,
  type PairSource,
  reloadIfChanged,
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
  /** The pair without a name. */
  current(): TppIdentity
  /** The pair with a name; undefined when there is none. */
  named(name: string | null): TppIdentity | undefined
  /** All pairs, the one without a name first. */
  all(): readonly TppIdentity[]
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

type LoadedPair = {
  readonly source: PairSource
  readonly qwac: Loaded<TppCertificate | null>
  readonly qseal: Loaded<TppCertificate | null>
  readonly identity: TppIdentity
}

/** Certificates are replaced days before they expire; checking the files costs next to nothing. */
const REFRESH_MILLISECONDS = 10_000

/** Loads all certificates. Throws for an invalid one, so that the program does not start with it. */
export async function openTppCertificates(
  settings: CertificateSettings,
  dependencies: Dependencies,
): Promise<TppCertificates> {
  const loader = authoritiesLoader(settings.bankCaFile)
  let authorities = await loadInitially(loader)
  const pairs = new Map<string | null, LoadedPair>()
  const own = { name: null, qwac: settings.qwac, qseal: settings.qseal }
  for (const source of [own, ...(await listNamedPairs(settings.certificatesFolder))]) {
    pairs.set(source.name, await loadPair(source, authorities.value))
  }
  const all = () => [...pairs.values()].map(({ identity }) => identity)
  const { watch = () => undefined } = dependencies
  watch(all())
  const loadNewPairs = newPairLoader(settings.certificatesFolder, dependencies)
  const look = async () => {
    authorities = await reloadIfChanged(loader, authorities, dependencies)
    for (const [name, pair] of pairs) {
      pairs.set(name, await reloadPair(pair, authorities.value, dependencies))
    }
    for (const pair of await loadNewPairs(pairs, authorities.value)) {
      pairs.set(pair.source.name, pair)
    }
    watch(all())
  }
  const timer = setInterval(() => void look(), REFRESH_MILLISECONDS).unref()
  return {
    current: () => requireIdentity(pairs, null),
    named: (name) => pairs.get(name)?.identity,
    all,
    warningDays: settings.certificateWarningDays,
    look,
    close: () => clearInterval(timer),
  }
}

function requireIdentity(pairs: ReadonlyMap<string | null, LoadedPair>, name: string | null): TppIdentity {
  const pair = pairs.get(name)
  if (pair === undefined) {
    throw new Error(`There is no pair of certificates with the name ${name}`)
  }
  return pair.identity
}

async function loadPair(source: PairSource, authorities: string | null): Promise<LoadedPair> {
  const qwac = await loadInitially(certificateLoader('QWAC', source))
  const qseal = await loadInitially(certificateLoader('QSEAL', source))
  const identity = { name: source.name, qwac: qwac.value, qseal: qseal.value, authorities }
  return { source, qwac, qseal, identity }
}

async function reloadPair(
  pair: LoadedPair,
  authorities: string | null,
  dependencies: Dependencies,
): Promise<LoadedPair> {
  const { source, identity } = pair
  const qwac = await reloadIfChanged(certificateLoader('QWAC', source), pair.qwac, dependencies)
  const qseal = await reloadIfChanged(certificateLoader('QSEAL', source), pair.qseal, dependencies)
  const isSame = qwac.value === identity.qwac && qseal.value === identity.qseal && authorities === identity.authorities
  return {
    source,
    qwac,
    qseal,
    identity: isSame ? identity : { name: source.name, qwac: qwac.value, qseal: qseal.value, authorities },
  }
}

/** Loads pairs that were added while the program runs. An invalid one is logged once per version of its files. */
function newPairLoader(folder: string | null, { log }: Dependencies) {
  const rejected = new Map<string | null, string>()
  return async (known: ReadonlyMap<string | null, unknown>, authorities: string | null): Promise<LoadedPair[]> => {
    const loaded: LoadedPair[] = []
    const found = await listNamedPairs(folder).catch((error: unknown) => {
      log.error({ folder, error }, 'the folder of certificates cannot be read; those that were read stay in use')
      return []
    })
    for (const source of found.filter(({ name }) => !known.has(name))) {
      const loaders = [certificateLoader('QWAC', source), certificateLoader('QSEAL', source)]
      const stamp = await fileVersionOf({ files: loaders.flatMap(({ files }) => files) })
      try {
        loaded.push(await loadPair(source, authorities))
        log.info({ certificate: source.name }, 'a pair of certificates was added')
      } catch (error) {
        if (rejected.get(source.name) !== stamp) {
          rejected.set(source.name, stamp)
          log.error({ certificate: source.name, error }, 'a new pair of certificates is invalid and not used')
        }
      }
    }
    return loaded
  }
}
