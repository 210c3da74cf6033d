/** Node.js 20.19 warns that Ed25519 is experimental in Web Crypto; later versions do not. */
export const quiet = process.version.startsWith('v20.') ? ['--disable-warning=ExperimentalWarning'] : [];
