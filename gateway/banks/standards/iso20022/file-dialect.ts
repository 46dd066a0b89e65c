/** What differs between banks that take ISO 20022 files: the settings under `dialect` in a bank's profile. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

const Folder = Type.String({ pattern: '^[A-Za-z0-9_-][A-Za-z0-9_./-]{0,99}$' })
const Word = Type.String({ pattern: '^[A-Z]{4}$' })

const Dialect = closed({
  /** The message that orders come in. */
  message: Type.Enum(['pain.001.001.03', 'pain.001.001.09']),
  /** Where the bank takes files from, and where it puts out its own; as seen from us. */
  folders: closed({ outgoing: Folder, incoming: Folder, done: Folder }),
  /** How accounts are named; one without a certain IBAN is still named by its number. */
  accounts: Type.Enum(['bban', 'iban']),
  /** What stands as the id of who orders: the number of the company, or what the bank calls the customer. */
  initiatingParty: Type.Enum(['organisation-number', 'agreement']),
  /** Words that are said of a file before its user has confirmed it in the bank's own channel. */
  unsignedStatuses: Type.Array(Word, { uniqueItems: true }),
})
export type FileDialect = Static<typeof Dialect>

const validator = Compile(Dialect)

/** Reads the settings of a profile; the error names everything that is wrong with them. */
export function readFileDialect(settings: unknown): FileDialect {
  if (!validator.Check(settings)) {
    const faults = validator.Errors(settings).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
    throw new Error(`/dialect is not usable: ${faults.join('; ')}`)
  }
  return settings
}

/** An object in which a misspelt member is a mistake. */
function closed<const Properties extends Type.TProperties>(properties: Properties): Type.TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false })
}
