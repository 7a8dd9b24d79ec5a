//<![CDATA[
// Reloads the page while the command writes it, and restores the scroll position.
const live = document.getElementById('live').dataset, place = 'paotai ' + location.pathname, title = document.title;
const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const duration = minutes => minutes < 120 ? counted(minutes, 'minute')
    : minutes < 2880 ? counted(Math.floor(minutes / 60), 'hour') : counted(Math.floor(minutes / 1440), 'day');
// If the file has not been written for a minute, says so, and shows the time of the last update
// instead of the expected end.
const look = () => {
    const minutes = Math.floor((Date.now() / 1000 - live.written) / 60);
    const stale = document.getElementById('stale'), end = document.getElementById('end');
    if (minutes < 1) return;
    const state = document.querySelector('.state');
    state.className = 'state stopped';
    state.textContent = 'probably stopped';
    document.title = `stopped${live.share && ` at ${live.share} %`}: ${title}`;
    stale.hidden = false;
    stale.textContent = `No update for ${duration(minutes)}: ` +
        'the command has probably been stopped. The page shows its last state. If the command has --out, --resume continues it.';
    document.getElementById('renews').hidden = true;
    if (!end) return;
    const [name, value] = end.children, ago = document.createElement('small');
    ago.textContent = `${duration(minutes)} ago`;
    name.textContent = 'last update';
    value.replaceChildren(document.getElementById('written').textContent.replace(/^\S+ /, ''), ' ', ago);
};
if (live.state === 'running') {
    try {
        scrollTo(0, sessionStorage.getItem(place) || 0);
    } catch {}
    if (live.share) document.title = live.share + ' % ' + title;
    look();
    setInterval(() => {
        look();
        if (String(getSelection())) return; // the reader has selected text, perhaps to copy it
        try {
            sessionStorage.setItem(place, scrollY);
        } catch {}
        location.reload();
    }, 3000);
}
//]]>
