/** The connector for banks that accept orders as ISO 20022 files under an agreement and send status reports. */
import { createHash } from 'node:crypto'
import type { Bank, SupportedOrderFields } from '../../connector/bank.ts'
import { BankError } from '../../connector/bank-error.ts'
import type { Authorisations, Connector, ConsentProduct } from '../../connector/connector.ts'
import type { AnswerDeviation, ConnectorDependencies } from '../../connector/connector-dependencies.ts'
import { type FileReport, UnreadableFileError } from '../../connector/file-product.ts'
import type { FileChannel } from './file-channel.ts'
import { type FileDialect, parseFileDialect } from './file-dialect.ts'
import { readStatusReport } from './read-status-report.ts'
import { withFileChannel } from './with-file-channel.ts'
import { END_TO_END_ID_MAX, writePain001 } from './write-pain-001.ts'

/** A report on ten thousand payments has about 10 MB. */
const REPORT_BYTES_MAX = 50_000_000
/** Longer than every status of the standard. */
const STATUS_CHARACTERS_MAX = 35

/** Creates the connector. */
export function iso20022(tools: ConnectorDependencies): Connector {
  const at = <Value>(bank: Bank, work: (channel: FileChannel, dialect: FileDialect) => Promise<Value>) =>
    withFileChannel(tools, bank, (channel) => work(channel, parseFileDialect(bank.profile.dialect)))
  return {
    consents: agreementConsents,
    files: {
      prepare: (bank, file, attempt) =>
        at(bank, (channel, dialect) =>
          channel.write(preparedPath(dialect, file.messageId, attempt), writePain001(bank, dialect, file)),
        ),
      submitFile: async (bank, messageId, attempt) => {
        // A missing file was submitted by an attempt whose answer was lost: nothing else removes it.
        await at(bank, (channel, dialect) =>
          channel.move(preparedPath(dialect, messageId, attempt), `${dialect.folders.outgoing}/${messageId}.xml`),
        )
      },
      withdrawFile: (bank, messageId, attempt) =>
        at(bank, (channel, dialect) => withdrawFile(channel, dialect, messageId, attempt)),
      clear: (bank, messageId, attempt) => {
        const ours = attempt === undefined ? `${messageId}.` : `${messageId}.${attempt}.`
        return at(bank, (channel, dialect) => clear(channel, dialect, ours))
      },
      list: (bank) => at(bank, (channel, { folders }) => channel.list(folders.incoming)),
      read: async (bank, name) => {
        const file = plain(name)
        const dialect = parseFileDialect(bank.profile.dialect)
        const bytes = await at(bank, (channel, { folders }) =>
          channel.read(`${folders.incoming}/${file}`, REPORT_BYTES_MAX),
        )
        const report = await readStatusReport(bytes, { dialect, timeZone: bank.profile.timeZone })
        reportDeviations(tools, bank, report)
        if (report !== null && report.payments.length === 0 && report.withoutStatus > 0) {
          throw new UnreadableFileError('A report of the bank lists payments, of which none has a status', true)
        }
        return { digest: createHash('sha256').update(bytes).digest('hex'), report }
      },
      archiveFile: async (bank, name, mark) => {
        const file = plain(name)
        await at(bank, (channel, { folders }) =>
          channel.move(`${folders.incoming}/${file}`, `${folders.done}/${mark}-${file}`),
        )
      },
    },
  }
}

/** An order file carries all fields, an end-to-end id as far as its schema permits. */
export function supportedFieldsInFiles(): SupportedOrderFields {
  return { endToEndIdMax: END_TO_END_ID_MAX, purposeCode: true, debtorReference: false, creditorAddress: false }
}

function reportDeviations(tools: ConnectorDependencies, bank: Bank, report: FileReport | null): void {
  const observations = report === null ? [] : [report.whole, ...report.payments]
  const unknown = new Set(observations.flatMap((one) => (one?.status === null ? [one.bankStatus] : [])))
  const dropped = { path: 'TxInfAndSts[].TxSts', reason: 'is missing', effect: 'dropped' } as const
  const deviations: readonly AnswerDeviation[] = [
    ...[...unknown].map((status) => {
      const reason = `is "${status.slice(0, STATUS_CHARACTERS_MAX)}", which has no meaning in the standard`
      return { path: 'status', reason, effect: 'unknown-status' } as const
    }),
    ...Array.from({ length: report?.withoutStatus ?? 0 }, () => dropped),
  ]
  if (deviations.length > 0) {
    tools.observeDeviations({ bank: bank.bic, operation: 'readStatusReport' }, deviations)
  }
}

/** A name that the bank ignores: it only reads `.xml` files. */
function preparedPath({ folders }: FileDialect, messageId: string, attempt: string): string {
  return `${folders.outgoing}/${messageId}.${attempt}.part`
}

/** A file that is already moved was moved by an attempt whose answer was lost. */
async function withdrawFile(
  channel: FileChannel,
  dialect: FileDialect,
  messageId: string,
  attempt: string,
): Promise<'withdrawn' | 'gone'> {
  const { outgoing } = dialect.folders
  const aside = `${messageId}.${attempt}.withdrawn`
  const moved = await channel.move(preparedPath(dialect, messageId, attempt), `${outgoing}/${aside}`)
  const isWithdrawn = moved === 'moved' || (await channel.list(outgoing)).some(({ name }) => name === aside)
  return isWithdrawn ? 'withdrawn' : 'gone'
}

async function clear(channel: FileChannel, { folders }: FileDialect, ours: string): Promise<void> {
  const isLeft = (name: string) => name.startsWith(ours) && /\.(part|withdrawn)$/.test(name)
  for (const { name } of await channel.list(folders.outgoing)) {
    if (isLeft(name)) {
      await channel.remove(`${folders.outgoing}/${name}`)
    }
  }
}

/** A server could send file names that lead out of the folder. */
function plain(name: string): string {
  if (/[/\\\0]/.test(name) || name.startsWith('.')) {
    throw new UnreadableFileError('The bank’s server sent a file name that leads out of its folder', true)
  }
  return name
}

function rejectConsents(): never {
  throw new BankError('unsupported-product', 'This bank accepts files under an agreement, which the operator enters')
}

const noAuthorisations: Authorisations<string> = {
  start: async () => rejectConsents(),
  read: async () => rejectConsents(),
  complete: async () => rejectConsents(),
}

/** The bank is not called: the rights are in a paper contract. */
const agreementConsents: ConsentProduct = {
  create: async () => rejectConsents(),
  read: async () => ({ state: 'valid', validUntil: null, bankStatus: 'agreed' }),
  authorisations: noAuthorisations,
  revoke: async () => undefined,
}
