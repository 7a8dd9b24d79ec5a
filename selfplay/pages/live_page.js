// Reloads the page while the command writes it, and keeps the place where it was scrolled to.
const live = document.getElementById('live').dataset, place = 'paotai ' + location.pathname;
const look = () => {
    const minutes = Math.floor((Date.now() / 1000 - live.written) / 60);
    const stale = document.getElementById('stale');
    if (minutes < 1) return;
    const state = document.querySelector('.state');
    state.className = 'state stopped';
    state.textContent = 'probably stopped';
    stale.hidden = false;
    stale.textContent = `No update for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}: ` +
        'the command has probably been stopped. This is its last state. With --out, --resume continues it.';
    document.getElementById('renews').hidden = true;
};
if (live.state === 'running') {
    try {
        scrollTo(0, sessionStorage.getItem(place) || 0);
    } catch {}
    if (live.share) document.title = live.share + ' % ' + document.title;
    look();
    setInterval(() => {
        look();
        if (String(getSelection())) return; // somebody copies a number
        try {
            sessionStorage.setItem(place, scrollY);
        } catch {}
        location.reload();
    }, 3000);
}
