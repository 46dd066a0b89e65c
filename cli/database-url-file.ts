/** Reads the URL of the database from a file, where secrets of a container or service are files. */
import { readFileSync } from 'node:fs'

const FILE_VARIABLE = 'HAVN_DATABASE_URL_FILE'

/** Sets `DATABASE_URL` to the content of the file that `HAVN_DATABASE_URL_FILE` names, for all that runs in the process. */
export function readDatabaseUrlFile(environment: NodeJS.ProcessEnv): void {
  const file = environment[FILE_VARIABLE]?.trim() || undefined
  if (file === undefined) {
    return
  }
  if (environment['DATABASE_URL']?.trim()) {
    throw new Error(`DATABASE_URL and ${FILE_VARIABLE} are both set: set only one of them`)
  }
  environment['DATABASE_URL'] = contentOf(file)
}

function contentOf(file: string): string {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text === '') {
      throw new Error('it is empty')
    }
    return text
  } catch (error) {
    throw new Error(`${FILE_VARIABLE} names ${file}, which cannot be used: ${String(Object(error).message)}`, {
      cause: error,
    })
  }
}
