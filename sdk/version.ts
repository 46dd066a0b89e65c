/** The version of the package, which is sent to the service with every request. */

/** The version of `@havn/client`; the same as in its package.json. */
export const HAVN_CLIENT_VERSION = '0.1.0'
