/** The connector to banks that take orders in ISO 20022 files: an agreement stands in for the consent, reports for answers. */
import { createHash } from 'node:crypto'
import { BankRefusal } from '../../connector/bank-error.ts'
import type { Authorisations, Connector, ConsentProduct } from '../../connector/connector.ts'
import type { ConnectorTools } from '../../connector/connector-dependencies.ts'
import type { Bank, CarriedParts } from '../../directory/bank.ts'
import { type FileProduct, FileUnreadable } from '../../file-product.ts'
import type { FileChannel } from '../../iso20022/file-channel.ts'
import { type FileDialect, readFileDialect } from './file-dialect.ts'
import { writePain001 } from './pain-001.ts'
import { readReport } from './read-status-report.ts'
import { overChannel } from './with-file-channel.ts'

/** Reports on ten thousand payments have some ten million bytes. */
const REPORT_BYTES_MAX = 50_000_000

/** Makes the connector. */
export function iso20022(tools: ConnectorTools): Connector {
  return { consents: agreedElsewhere, files: fileProduct(tools) }
}

/** Everything of an order is in its file. */
export function carriedInFiles(): CarriedParts {
  return { endToEndId: (endToEndId) => endToEndId, purposeCode: true, debtorReference: false, creditorAddress: false }
}

function fileProduct(tools: ConnectorTools): FileProduct {
  return {
    prepare: async (bank, file, attempt) => {
      const dialect = dialectOf(bank)
      const parts = writePain001(bank, dialect, file)
      await overChannel(tools, bank, (channel) => channel.write(preparedAt(dialect, file.messageId, attempt), parts))
    },
    handOver: async (bank, messageId, attempt) => {
      const dialect = dialectOf(bank)
      const to = `${dialect.folders.outgoing}/${messageId}.xml`
      // One that is missing was handed over by an attempt whose answer was lost: nobody else takes it away.
      await overChannel(tools, bank, (channel) => channel.move(preparedAt(dialect, messageId, attempt), to))
    },
    takeBack: (bank, messageId, attempt) =>
      overChannel(tools, bank, (channel) => takeBack(channel, dialectOf(bank), messageId, attempt)),
    clear: (bank, messageId, attempt) => {
      const ours = attempt === undefined ? `${messageId}.` : `${messageId}.${attempt}.`
      return overChannel(tools, bank, (channel) => clear(channel, dialectOf(bank), ours))
    },
    list: (bank) => overChannel(tools, bank, (channel) => channel.list(dialectOf(bank).folders.incoming)),
    read: async (bank, name) => {
      const dialect = dialectOf(bank)
      const path = `${dialect.folders.incoming}/${plain(name)}`
      const bytes = await overChannel(tools, bank, (channel) => channel.read(path, REPORT_BYTES_MAX))
      const report = await readReport(bytes, { dialect, timeZone: bank.profile.timeZone })
      return { digest: createHash('sha256').update(bytes).digest('hex'), report }
    },
    putAway: async (bank, name, mark) => {
      const { incoming, done } = dialectOf(bank).folders
      await overChannel(tools, bank, (channel) =>
        channel.move(`${incoming}/${plain(name)}`, `${done}/${mark}-${plain(name)}`),
      )
    },
  }
}

/** Where the bank does not look: it takes what ends in `.xml`. */
function preparedAt({ folders }: FileDialect, messageId: string, attempt: string): string {
  return `${folders.outgoing}/${messageId}.${attempt}.part`
}

/** A file that is out of the way already was taken there by an attempt whose answer was lost. */
async function takeBack(
  channel: FileChannel,
  dialect: FileDialect,
  messageId: string,
  attempt: string,
): Promise<'taken' | 'gone'> {
  const { outgoing } = dialect.folders
  const aside = `${messageId}.${attempt}.withdrawn`
  const moved = await channel.move(preparedAt(dialect, messageId, attempt), `${outgoing}/${aside}`)
  const isTaken = moved === 'moved' || (await channel.list(outgoing)).some(({ name }) => name === aside)
  return isTaken ? 'taken' : 'gone'
}

async function clear(channel: FileChannel, { folders }: FileDialect, ours: string): Promise<void> {
  const isLeft = (name: string) => name.startsWith(ours) && /\.(part|withdrawn)$/.test(name)
  for (const { name } of await channel.list(folders.outgoing)) {
    if (isLeft(name)) {
      await channel.remove(`${folders.outgoing}/${name}`)
    }
  }
}

function dialectOf({ profile }: Bank): FileDialect {
  return readFileDialect(profile.dialect)
}

/** A server could name its files so that they lead out of their folder. */
function plain(name: string): string {
  if (/[/\\\0]/.test(name) || name.startsWith('.')) {
    throw new FileUnreadable('The bank’s server names a file in a way that leads elsewhere', true)
  }
  return name
}

function refuseConsents(): never {
  throw new BankRefusal('unsupported-product', 'This bank takes files under an agreement, which its operator enters')
}

const noAuthorisations: Authorisations<string> = {
  start: async () => refuseConsents(),
  read: async () => refuseConsents(),
  complete: async () => refuseConsents(),
}

/** The bank is never asked: who may order what is in a contract on paper. */
const agreedElsewhere: ConsentProduct = {
  create: async () => refuseConsents(),
  read: async () => ({ state: 'valid', validUntil: null, bankStatus: 'agreed' }),
  authorisations: noAuthorisations,
  revoke: async () => undefined,
}
