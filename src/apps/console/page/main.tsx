import { render } from 'preact';
import { App } from './app.tsx';
import { connect } from './live.ts';

connect();
render(<App />, document.body);
