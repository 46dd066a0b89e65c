/** Parses the settings in which banks with ISO 20022 files differ: `dialect` in a bank's profile. */

import { type Static, Type } from 'typebox'
import { closed } from '../../../platform/closed-schema.ts'
import { settingErrors } from '../../connector/setting-errors.ts'

const Folder = Type.String({ pattern: '^[A-Za-z0-9_-][A-Za-z0-9_./-]{0,99}$' })
const Word = Type.String({ pattern: '^[A-Z]{4}$' })

const Dialect = closed({
  /** The message version of orders. */
  message: Type.Enum(['pain.001.001.03', 'pain.001.001.09']),
  /** The bank's inbox for our files and its outbox with reports, seen from us. */
  folders: closed({ outgoing: Folder, incoming: Folder, done: Folder }),
  /** Format of account numbers; an account whose IBAN cannot be derived is sent as its domestic number. */
  accounts: Type.Enum(['bban', 'iban']),
  /** The id of the initiating party: the organisation number, or the customer id at the bank. */
  initiatingParty: Type.Enum(['organisation-number', 'agreement']),
  /** Statuses of a file before the user has confirmed it in the bank's own channel. */
  unsignedStatuses: Type.Array(Word, { uniqueItems: true }),
})
export type FileDialect = Static<typeof Dialect>

/** Parses the settings of a profile. Throws an error that names everything that is wrong. */
export function parseFileDialect(settings: unknown): FileDialect {
  const errors = fileDialectErrors(settings)
  if (errors.length > 0) {
    throw new Error(`The dialect of files is not usable: ${errors.join('; ')}`)
  }
  return settings as FileDialect
}

/** What is wrong with settings; empty for valid ones. */
export function fileDialectErrors(settings: unknown): readonly string[] {
  return settingErrors(Dialect, settings, { rules: [], at: '/dialect' })
}
