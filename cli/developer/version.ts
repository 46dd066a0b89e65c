/** The version of this release. */
import release from '../../package.json' with { type: 'json' }

export const { version } = release
