/** Where the gateway is: `{ url, headers }`, or `{ command, args, cwd }` for one over stdio. */
export const place = JSON.parse(process.argv[2]);

const refund = { order: 'o-7', cents: 500 };

const tell = (value) => console.log(JSON.stringify(value));

/** What each client does: prints its tools, a read, and a refund that waits; after a line on stdin, the refund again. */
export const talk = async ({ tools, call, close }) => {
  tell(await tools());
  tell(await call('shop_find_order', { order: 'o-7' }));
  tell(await call('shop_refund', refund));
  await new Promise((resolve) => process.stdin.once('data', resolve));
  tell(await call('shop_refund', refund));
  await close();
  process.exit(0);
};
