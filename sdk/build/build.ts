/** `npm run build:sdk`: builds the npm package of the client in artefacts/havn-client/, and packs it. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildPackage, packPackage } from './build-package.ts'

const artefacts = fileURLToPath(new URL('../../artefacts/', import.meta.url))
await mkdir(artefacts, { recursive: true })
const folder = `${artefacts}havn-client`
await buildPackage(folder)
console.log(`Built ${folder}\nPacked ${await packPackage(folder, artefacts)}`)
